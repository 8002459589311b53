// A crawl in another process is watched live, paused, narrowed, resumed and stopped with the keyboard alone; it dies, and
// the page says so; its catalog goes away, and the page says so.
import { renameSync } from "node:fs";
import { Harvest, enterByKeyboard, json, until } from "./harvest.mjs";
import { assert } from "./world.mjs";

const CONFIG = `[harvest]
name = "Universität Hohenwerth"
[crawl]
seeds = ["http://www.uni-hohenwerth.example/"]
[crawl.politeness]
delay = "400ms"
`;
const PAGE = "/monitor/uni";

export default async function (world) {
  const harvest = await Harvest.start(CONFIG);
  try {
    await steer(world, harvest);
    // Who watches leaves first: a stream that breaks off would be complained about.
    for (const context of world.contexts) await context.close();
  } finally {
    await harvest.close();
  }
}

async function steer(world, harvest) {
  const first = await harvest.crawl();
  world.base = await harvest.serve();
  const page = await world.page();
  const now = () => json(world, page, PAGE);
  const state = () => page.locator("#crawl-state .state").innerText();
  const said = async (word) => (await state()) === word;
  const shown = async (name) => Number(await page.locator("#crawl-numbers div", { hasText: name }).first().locator(".value").innerText());

  // It runs, and the numbers go up without a reload.
  await world.visit(page, PAGE);
  await until("it runs", () => said("running"));
  const before = await shown("Fetched");
  await until("the page follows", async () => (await shown("Fetched")) > before);
  assert.match(await page.locator(".live-note").innerText(), /^Live/);
  assert.match(await page.locator("#crawl-state").innerText(), /politeness: 1 of 1 hosts wait/);
  await world.accessible(page);

  // Paused, by the keyboard.
  await enterByKeyboard(page, "form[action$='/pause'] button");
  await until("it is paused", () => said("paused"));
  const held = await until("nothing is on its way", async () => {
    const it = await now();
    return it.crawl?.paused_by_hand && it.pace?.in_flight === 0 && it;
  });
  await new Promise((go) => setTimeout(go, 1500));
  assert.equal((await now()).counts.fetched, held.counts.fetched, "nothing is fetched in a pause");
  await world.accessible(page);

  // What an exclusion would drop is what it drops.
  await page.locator("input[name=exclude]").focus();
  await page.keyboard.type("regex hohen(");
  await page.keyboard.press("Enter");
  await page.locator("#exclude [role=alert]").waitFor();
  await page.locator("input[name=exclude]").fill("");
  await page.locator("input[name=exclude]").focus();
  await page.keyboard.type("regex /studium/");
  await page.keyboard.press("Enter");
  const would = Number(await page.locator("#would-drop").innerText());
  assert.ok(would > 0, "something fits");
  await world.accessible(page);
  await enterByKeyboard(page, "form[action$='/exclude'] button");
  await until("it is dropped", async () => (await now()).exclusions[0]?.dropped > 0);
  await new Promise((go) => setTimeout(go, 1500));
  const after = await now();
  assert.deepEqual(after.exclusions.map((it) => [it.test, it.dropped]), [["regex /studium/", would]]);
  assert.equal(after.failures.find((it) => it.cause === "excluded").requests, would);
  assert.equal((await json(world, page, `${PAGE}?exclude=regex+/studium/`)).preview.queued, 0);
  await page.locator("#crawl-exclusions td", { hasText: "regex /studium/" }).waitFor();

  // On, and to an orderly end.
  await enterByKeyboard(page, "form[action$='/resume'] button");
  await until("it goes on", () => said("running"));
  await enterByKeyboard(page, "form[action$='/stop'] button");
  await until("it has ended", () => said("ended"));
  assert.match(await page.locator("#crawl-state").innerText(), /was stopped/);
  assert.equal((await first.ended).code, 3, first.said);
  const stopped = await now();
  assert.ok(stopped.counts.queued > 0, "it was stopped in the middle");

  // The next crawl is not stopped by that. It dies, and the page that is open says so.
  const second = await harvest.crawl();
  await until("the next one runs", () => said("running"));
  await until("it fetches", async () => (await now()).counts.fetched > stopped.counts.fetched);
  second.kill("SIGKILL");
  await second.ended;
  await until("the page tells its death", () => said("dead"), 15);
  assert.match(await page.locator("#crawl-state").innerText(), /No crawl is running.*last sign of life was at 20\d\d-/s);
  assert.equal(await page.locator("form[action$='/stop']").count(), 0, "there is nothing to stop");
  const dead = await now();
  assert.deepEqual([dead.state, dead.pace], ["died", null]);
  assert.match(harvest.run("status"), /no crawl is running; the last one did not end by itself/);
  await world.accessible(page);

  // A form that was made for a crawl which has ended does nothing.
  const token = await page.locator("input[name=token]").first().getAttribute("value");
  const late = await page.request.post(`${world.base}${PAGE}/pause`, { form: { token, run: String(dead.crawl.run) } });
  assert.equal(late.status(), 409);
  const nothing = await page.request.post(`${world.base}${PAGE}/stop`, { form: { token } });
  assert.equal(nothing.status(), 409);
  assert.equal((await now()).pause_waits, false);

  // The catalog goes away: nothing is claimed, and nothing is written where it would be lost.
  renameSync(harvest.catalog(), harvest.catalog() + ".aside");
  await until("the page tells that it cannot tell", () => said("unknown"));
  assert.match(await page.locator("#crawl-state").innerText(), /catalog does not answer/);
  const lost = await page.request.post(`${world.base}${PAGE}/pause`, { form: { token } });
  assert.equal(lost.status(), 503);
  renameSync(harvest.catalog() + ".aside", harvest.catalog());
  await until("it is there again", () => said("dead"));
  assert.equal((await now()).counts.fetched, dead.counts.fetched);

  // A pause without a crawl is for the next one, and the page says so.
  await enterByKeyboard(page, "form[action$='/pause'] button");
  await page.locator("#crawl-state .note", { hasText: "the next crawl will begin with it" }).waitFor();
  const third = await harvest.crawl();
  await until("it begins paused", () => said("paused"));
  await enterByKeyboard(page, "form[action$='/resume'] button");
  await until("it goes on", () => said("running"));
  await enterByKeyboard(page, "form[action$='/stop'] button");
  assert.equal((await third.ended).code, 3);
  await until("it has ended", () => said("ended"));

  // Who changed what is on record; the server's own words for a refusal are no complaint of ours.
  const { changes } = await json(world, page, "/changes/uni");
  assert.deepEqual(changes.map((it) => it.deed).reverse(), ["pause", "exclude", "resume", "stop", "pause", "resume", "stop"]);
  world.expected.push(/status of (503|409)/);

  // Without a script, in German, on a narrow screen.
  const plain = await world.page({ javaScriptEnabled: false, locale: "de-DE", viewport: { width: 390, height: 800 } });
  await world.visit(plain, PAGE);
  assert.match(await plain.locator("#crawl-state").innerText(), /beendet/);
  await world.fits(plain);
}
