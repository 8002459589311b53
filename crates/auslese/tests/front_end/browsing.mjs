// From the institution to a document, without a question.
import { assert } from "./world.mjs";

export default async function (world) {
  const page = await world.page();
  await world.visit(page, "/browse/demo");
  await world.accessible(page);
  await page.locator("main a", { hasText: "Hohenwerth" }).first().click();
  await world.accessible(page);
  await page.locator("main a", { hasText: "www.uni-hohenwerth.example" }).first().click();
  await world.accessible(page);
  const documents = page.locator('main a[href^="/doc/"]');
  assert.ok((await documents.count()) > 0, "documents are listed");
  await documents.first().click();
  await page.waitForURL(/\/doc\//);
}
