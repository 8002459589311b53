// A term of one vocabulary finds documents that are indexed with another; the transfer can be switched off.
import { assert } from "./world.mjs";

export default async function (world) {
  const page = await world.page();
  await world.visit(page, "/search?q=Berufsverkehr");
  const found = await page.locator(".hit").count();
  assert.ok(found > 0, "the concordance leads to documents");
  assert.ok((await page.locator(".hit .note").count()) > 0, "and the page says so");
  const chips = page.locator(".transfers .chip .remove");
  while (await chips.count()) {
    const before = await chips.count();
    await chips.first().click();
    await page.waitForFunction((n) => document.querySelectorAll(".transfers .chip .remove").length < n, before);
  }
  assert.ok((await page.locator(".hit").count()) < found, "without it they are not found");

  await world.visit(page, "/vocabularies");
  await world.accessible(page);
  await page.getByRole("searchbox").fill("Berufsverkehr");
  await page.keyboard.press("Enter");
  await page.locator(".concepts a", { hasText: "Berufsverkehr" }).first().click();
  await page.getByRole("heading", { name: "Counterparts in other vocabularies" }).waitFor();
  await world.accessible(page);
}
