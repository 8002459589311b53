// A question, a facet, why a hit is there, and the result set to take away.
import { assert } from "./world.mjs";

export default async function (world) {
  const page = await world.page();
  await world.visit(page, "/");
  await world.accessible(page);
  await page.getByRole("searchbox").fill("Mühle");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/search\?/);
  const all = await page.locator(".hit").count();
  assert.ok(all > 1, "several documents have the word");
  await world.accessible(page);
  await page.locator(".hit summary", { hasText: "Why this hit" }).first().click();
  assert.ok(await page.locator(".hit table").first().isVisible());

  // The number beside a value is the number of hits behind it.
  const facet = page.locator(".facet", { hasText: "Host" }).locator("li").first();
  const count = Number((await facet.locator(".count").innerText()).replace(/\D/g, ""));
  await facet.locator("a.value").click();
  await page.getByRole("status").filter({ hasText: new RegExp(`^${count} document`) }).waitFor();
  assert.equal(await page.locator(".chip").filter({ hasText: "Host:" }).count(), 1);

  // Leaving it out shows the others.
  await page.goBack();
  await page.locator(".facet", { hasText: "Host" }).locator("a.without").first().click();
  await page.locator(".chip.excluded").waitFor();

  // A query with a mistake is answered with its place.
  const response = await world.visit(page, "/search?q=" + encodeURIComponent("title:(a"));
  assert.equal(response.status(), 400);
  assert.match(await page.locator("pre").innerText(), /\^/);
  world.expected.push(/status of 400/);

  // The result set as a file, and the page as data.
  const urls = await page.request.get(world.base + "/search/export?q=M%C3%BChle&form=urls");
  const lines = (await urls.text()).trim().split("\n");
  const data = await (await page.request.get(world.base + "/search?q=M%C3%BChle&format=json")).json();
  assert.equal(lines.length, data.total);
  assert.equal(data.hits[0].id, lines[0]);
}
