// An archived page that means harm can do nothing to the front end, to the network, or to its reader.
import { assert } from "./world.mjs";

const ATTACKER = /attack\.example/;

export default async function (world) {
  // What the browser refuses, it says; that is what is wanted here.
  world.expected.push(/./);
  const page = await world.page();
  let dialogs = 0;
  page.on("dialog", (dialog) => {
    dialogs += 1;
    return dialog.dismiss();
  });
  const opened = [];
  page.context().on("page", (other) => opened.push(other));

  const address = "/view/hostile/20260102030405/http://hostile.example/";
  await world.visit(page, address);
  const ours = page.url();
  const archived = () => page.frames().find((frame) => frame !== page.mainFrame() && /hostile\.example\/(#.*)?$/.test(frame.url()));
  await page.waitForTimeout(2500);
  const frame = archived();
  assert.ok(frame, "the page is shown in a frame");
  assert.match(await frame.locator("#text").innerText(), /Größe, Übermut, Ärger/);
  assert.ok(await frame.locator("#noscript").isVisible(), "what is for browsers without scripts is shown");

  const untouched = async (attack) => {
    assert.equal(page.url(), ours, `${attack} led the window away`);
    for (const it of [page, ...page.frames()]) {
      assert.doesNotMatch(await it.title().catch(() => ""), /^HACKED/, attack);
    }
    const outside = world.requests.filter((it) => ATTACKER.test(new URL(it).hostname));
    assert.deepEqual(outside, [], attack);
    assert.equal(dialogs, 0, `${attack} opened a dialog`);
  };
  await untouched("loading");
  const attacks = await frame.locator("a[id], button[id], area[id]").evaluateAll((all) => all.map((it) => it.id));
  assert.ok(attacks.length >= 14, attacks.join(" "));
  for (const attack of attacks) {
    await world.visit(page, address);
    const target = archived() ?? page.frames()[1];
    await target.locator(`[id="${attack}"]`).first().click({ timeout: 3000, force: true, noWaitAfter: true }).catch(() => {});
    await page.waitForTimeout(250);
    await untouched(attack);
  }
  for (const other of opened.filter((it) => it !== page)) {
    assert.doesNotMatch(other.url(), /^https?:\/\/attack/, "a window was opened");
  }
  const cookies = (await page.context().cookies()).filter((cookie) => cookie.name !== "lang");
  assert.deepEqual(cookies, [], "a cookie was set");
  assert.equal(await page.evaluate(() => localStorage.getItem("hacked")), null);
  const workers = await page.evaluate(async () => (await navigator.serviceWorker?.getRegistrations())?.length ?? 0);
  assert.equal(workers, 0, "a service worker was registered");

  // A top-level visit to the archived page is led back into our frame.
  const replayed = frame.url();
  await page.goto(replayed);
  assert.match(page.url(), /\/view\/hostile\//);
}
