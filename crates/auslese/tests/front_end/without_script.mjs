// Reading works without JavaScript.
import { assert } from "./world.mjs";

export default async function (world) {
  const page = await world.page({ javaScriptEnabled: false });
  await world.visit(page, "/");
  await page.getByRole("searchbox").fill("Institut");
  await page.getByRole("button", { name: "Search" }).click();
  await page.locator(".hit").first().waitFor();
  await page.locator(".facet").first().locator("a.value").first().click();
  await page.locator(".hit h2 a").first().click();
  assert.match(page.url(), /\/doc\//);
  for (const address of ["/browse", "/organisation", "/statistics", "/kwic?q=Institut", "/vocabularies", "/databases"]) {
    const response = await world.visit(page, address);
    assert.equal(response.status(), 200, address);
  }
}
