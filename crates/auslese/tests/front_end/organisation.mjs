// Hosts with their verdicts and the evidence in words; the numbers of the harvest as charts.
import { assert } from "./world.mjs";

export default async function (world) {
  const page = await world.page();
  await world.visit(page, "/organisation/demo");
  await world.accessible(page);
  await page.locator('main a[href*="/organisation/demo/"]').first().click();
  await world.accessible(page);
  assert.equal((await page.locator("h1").innerText()).length > 0, true);

  await world.visit(page, "/statistics/demo");
  await world.accessible(page);
  const tables = await page.locator('main a[href^="/statistics/demo/"]').evaluateAll((links) => [...new Set(links.map((link) => link.getAttribute("href")))]);
  assert.ok(tables.length >= 10, tables.join(" "));
  for (const address of tables) {
    const response = await world.visit(page, address);
    assert.equal(response.status(), 200, address);
  }
  await world.accessible(page);
}
