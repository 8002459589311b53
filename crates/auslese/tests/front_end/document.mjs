// From a question to a document, and through everything that is known of it.
import { assert } from "./world.mjs";

export default async function (world) {
  const page = await world.page();
  await world.visit(page, "/search?q=Institut&only=kept%3Akept");
  await page.locator(".hit h2 a").first().click();
  await page.waitForURL(/\/doc\//);
  await world.accessible(page);
  assert.ok((await page.locator(".weight").count()) > 0, "statements have weights");
  const tabs = await page.locator(".tabs a").evaluateAll((links) => links.map((link) => [link.textContent.trim(), link.getAttribute("href")]));
  assert.ok(tabs.length >= 7, tabs.join(" "));
  for (const [name, address] of tabs) {
    const response = await world.visit(page, address);
    assert.equal(response.status(), 200, `${name} at ${address}`);
    await world.accessible(page);
    const twin = await page.request.get(world.base + address + (address.includes("?") ? "&" : "?") + "format=json");
    assert.equal(twin.status(), 200, `the twin of ${name}`);
    await twin.json();
  }
}
