// A host that waits for a person is accepted in the browser, and crawled; rules of the corpus are tried, and then hold.
import { readFileSync } from "node:fs";
import { Harvest, enterByKeyboard, json, until } from "./harvest.mjs";
import { assert } from "./world.mjs";

// A registrant of the same name does not suffice here, so such hosts wait for a person.
const CONFIG = `# Our harvest.
[harvest]
contact = "archive@uni.example"
institutions = [{ label = "HW", root = "http://www.uni-hohenwerth.example/" }]

[discover]
member = 0.95 # be strict

[crawl.politeness]
delay = "10ms"

[corpus] # what we want
mirror = false # no copies
`;
const HOST = "www.hochschulsport.org-example";

export default async function (world) {
  const harvest = await Harvest.start(CONFIG);
  try {
    harvest.run("discover");
    await (await harvest.crawl()).ended;
    world.base = await harvest.serve();
    await decide(world, harvest);
    await choose(world, harvest);
  } finally {
    await harvest.close();
  }
}

async function decide(world, harvest) {
  const page = await world.page();
  const host = () => json(world, page, `/organisation/uni/${HOST}`);
  const captures = async () => (await host()).servers.reduce((sum, it) => sum + it.captures, 0);
  await world.visit(page, "/review/uni");
  await world.accessible(page);
  const card = page.locator(".review > li", { hasText: HOST });
  assert.match(await card.innerText(), /registrant .* has the name of/);
  const { hosts } = await json(world, page, "/review/uni");
  const waiting = hosts.map((it) => it.waiting);
  assert.deepEqual(waiting, [...waiting].sort((a, b) => b - a), "most links first");
  assert.equal(await captures(), 0);

  await card.locator("input[name=note]").focus();
  await page.keyboard.type("sports of the university");
  await enterByKeyboard(page, `form:has(input[name=host][value="${HOST}"]) button[value=accept]`);
  await page.locator(".review > li", { hasText: HOST }).locator(".note", { hasText: "a crawl has not followed yet" }).waitFor();
  await (await harvest.crawl()).ended;
  assert.ok((await captures()) > 1, "it was crawled");
  const found = await host();
  assert.deepEqual([found.verdict.membership, found.verdict.decided_by], ["member", "rule"]);
  assert.deepEqual(found.decisions.map((it) => [it.accept, it.note, it.by]), [[true, "sports of the university", "local"]]);

  // Withdrawn on the page of the host: it waits again.
  await world.visit(page, `/organisation/uni/${HOST}`);
  await world.accessible(page);
  await enterByKeyboard(page, `form[action$="/withdraw"]:has(input[value="${HOST}"]) button`);
  await until("it is withdrawn", async () => (await host()).decisions.length === 0);
  const { changes } = await json(world, page, "/changes/uni");
  assert.deepEqual(changes.map((it) => it.deed), ["withdraw-decision", "accept-host"]);
}

async function choose(world, harvest) {
  harvest.run("corpus", "--quiet");
  const page = await world.page();
  const rules = (query = "") => json(world, page, `/rules/uni${query}`);
  await world.visit(page, "/rules/uni");
  await until("it is counted", async () => (await rules()).preview);
  const now = await rules();
  assert.deepEqual([now.changed, now.preview.changes, now.preview.unread], [[], [], 0]);

  // Tried: nothing is written.
  await page.locator("input[name=languages]").fill("de");
  await page.locator("select[name=duplicates]").selectOption("leave");
  await page.keyboard.press("Enter");
  await page.waitForURL(/languages=de/);
  await page.locator("#would-keep").waitFor();
  await world.accessible(page);
  const would = { keep: Number(await page.locator("#would-keep").innerText()), leave: Number(await page.locator("#would-leave").innerText()) };
  assert.ok(would.leave > 0 && would.keep + would.leave === now.preview.kept, JSON.stringify(would));
  assert.equal(readFileSync(harvest.config(), "utf8"), CONFIG);
  assert.match(await page.locator("details pre").first().textContent(), /\[corpus\]\nduplicates = "leave"\nlanguages = \["de"\]/);

  // What the configuration would refuse is refused here.
  assert.match((await rules("?languages=deutsch!")).problem, /language/);

  // Applied: the file says so, its comments stay, and the corpus is what was shown.
  await enterByKeyboard(page, "form[action$='/apply'] button");
  await page.locator("#kept-now").waitFor({ timeout: 60000 });
  assert.equal(Number(await page.locator("#kept-now").innerText()), would.keep);
  const text = readFileSync(harvest.config(), "utf8");
  assert.ok(text.startsWith(CONFIG.trimEnd()), text);
  assert.match(text, /\nlanguages = \["de"\]\n/);
  const then = await until("it is counted", async () => {
    const it = await rules();
    return it.preview && it;
  });
  assert.deepEqual([then.preview.kept, then.preview.changes], [would.keep, []]);
  assert.deepEqual(then.in_force.languages, ["de"]);
  assert.match(harvest.run("corpus"), new RegExp(`^${would.keep} of \\d+ addresses are in the corpus`, "m"));
}
