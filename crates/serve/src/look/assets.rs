//! Styles, script and sign: a few small files, compiled in. Their addresses carry a mark of the version, so browsers
//! may keep them.

use crate::problem::Problem;
use axum::extract::Path;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};

struct Asset {
    name: &'static str,
    media_type: &'static str,
    text: &'static str,
}

const ASSETS: [Asset; 3] = [
    Asset {
        name: "auslese.css",
        media_type: "text/css; charset=utf-8",
        text: include_str!("../../assets/auslese.css"),
    },
    Asset {
        name: "auslese.js",
        media_type: "text/javascript; charset=utf-8",
        text: include_str!("../../assets/auslese.js"),
    },
    Asset {
        name: "sign.svg",
        media_type: "image/svg+xml",
        text: include_str!("../../assets/sign.svg"),
    },
];

pub(crate) async fn asset(Path(file): Path<String>) -> Result<Response, Problem> {
    let asset = ASSETS.iter().find(|asset| asset.name == file).ok_or_else(|| {
        Problem::not_found("There is no such file.", "Diese Datei gibt es nicht.")
    })?;
    let headers =
        [(CONTENT_TYPE, asset.media_type), (CACHE_CONTROL, "public, max-age=31536000, immutable")];
    Ok((headers, asset.text).into_response())
}

/// The address of an asset: another one whenever its text is another.
pub(super) fn address(name: &str) -> String {
    let text = ASSETS.iter().find(|asset| asset.name == name).map_or("", |asset| asset.text);
    // FNV-1a: short, and as good as any for telling versions apart.
    let mark = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    });
    format!("/static/{name}?v={mark:016x}")
}
