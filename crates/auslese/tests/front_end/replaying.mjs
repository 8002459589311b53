// Archived pages, their versions in a calendar, what changed between them, and what other tools ask for.
import { assert } from "./world.mjs";

export default async function (world) {
  // One font of the demo is no font, so it is not lent to the sandbox.
  world.expected.push(/werth\.woff2/, /net::ERR_FAILED/);
  const page = await world.page();
  // A page that the second round found changed.
  const changed = await (await page.request.get(world.base + "/search?q=*&format=json&sort=captured")).json();
  let versions;
  for (const hit of changed.hits.concat((await (await page.request.get(world.base + "/search?q=*&format=json&sort=captured&page=2")).json()).hits)) {
    const twin = await (await page.request.get(world.base + hit.page + "/versions?format=json")).json();
    if (JSON.stringify(twin).includes('"changed"') || hit.document?.versions > 1) {
      versions = hit.page + "/versions";
      break;
    }
  }
  assert.ok(versions, "a document has versions");
  await world.visit(page, versions);
  await world.accessible(page);
  await page.getByRole("button", { name: "Compare" }).click();
  await page.waitForURL(/\/versions\/diff/);
  await world.accessible(page);

  // The archived page in its frame: no request leaves to the live web.
  await world.visit(page, "/view/demo/2026/http://www.uni-hohenwerth.example/");
  const frame = page.frames().find((it) => it !== page.mainFrame());
  assert.ok(frame && /Hohenwerth/.test(await frame.locator("body").innerText()));
  await world.accessible(page);

  const url = "http://www.uni-hohenwerth.example/";
  const map = await page.request.get(`${world.base}/timemap/demo/link/${url}`);
  assert.match(await map.text(), /rel="[^"]*memento/);
  const gate = await page.request.get(`${world.base}/timegate/demo/${url}`, { maxRedirects: 0 });
  assert.equal(gate.status(), 302);
  assert.match(gate.headers().vary ?? "", /accept-datetime/i);
  const cdx = await page.request.get(`${world.base}/cdx/demo?url=${encodeURIComponent(url)}&output=json`);
  assert.equal(cdx.status(), 200);
  assert.match(await cdx.text(), /uni-hohenwerth/);
}
