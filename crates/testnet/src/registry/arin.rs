//! ARIN: `NetRange` and `CIDR`, then the organisation in a block of its own. If ranges lie in each
//! other, all are told, the widest first, between `# start` and `# end`.

use super::objects::{NetObject, Objects};
use super::question::Question;
use super::{CHANGED, block};
use std::net::IpAddr;

const HEAD: &str = "
#
# ARIN WHOIS data and services are subject to the Terms of Use
# available at: https://www.arin.net/resources/registry/whois/tou/
#
# If you see inaccuracies in the results, please report at
# https://www.arin.net/resources/registry/whois/inaccuracy_reporting/
#

";

pub(super) const THROTTLED: &str = "
#
# Query rate limit exceeded. Please wait before you query again.
#
";

pub(super) fn answer(objects: &Objects, question: &Question) -> String {
    let address = question.line.split_whitespace().find_map(|word| word.parse::<IpAddr>().ok());
    let nets = address.map(|address| objects.nets_of(address)).unwrap_or_default();
    let told = match nets.as_slice() {
        [] => format!("No match found for {}.\n", question.line),
        [net] => whole(net),
        nets => nets.iter().map(|net| format!("# start\n\n{}\n# end\n\n\n", whole(net))).collect(),
    };
    format!("{HEAD}{told}{HEAD}")
}

fn whole(net: &NetObject) -> String {
    let blocks: Vec<String> = net.blocks().iter().map(ToString::to_string).collect();
    let handle = format!("NET-{}-1", net.first.to_string().replace(['.', ':'], "-"));
    let holder = &net.holder;
    let network = block(
        &[
            ("NetRange", format!("{} - {}", net.first, net.last).as_str()),
            ("CIDR", &blocks.join(", ")),
            ("NetName", &net.name),
            ("NetHandle", &handle),
            ("Parent", "NET-0 (NET-0-0-0-0-0)"),
            ("NetType", "Direct Allocation"),
            ("Organization", &format!("{} ({})", holder.body(), net.org)),
            ("RegDate", "2004-02-11"),
            ("Updated", CHANGED),
            ("Ref", &format!("https://rdap.arin.net/registry/ip/{}", net.first)),
        ],
        key,
    );
    let organization = block(
        &[
            ("OrgName", holder.body()),
            ("OrgId", &net.org),
            ("Address", &holder.street),
            ("City", &holder.city),
            ("PostalCode", &holder.postcode),
            ("Country", &holder.country),
            ("RegDate", "2004-02-11"),
            ("Updated", CHANGED),
            ("Ref", &format!("https://rdap.arin.net/registry/entity/{}", net.org)),
        ],
        key,
    );
    let technical = block(
        &[
            ("OrgTechHandle", "NOC1-ARIN"),
            ("OrgTechName", "Network Operations"),
            ("OrgTechEmail", &holder.email),
        ],
        key,
    );
    format!("\n{network}\n\n{organization}\n\n{technical}\n")
}

fn key(key: &str) -> String {
    format!("{:<16}", format!("{key}:"))
}
