// Everything can be reached without a mouse: the skip link, the search box, hits and facets.
import { assert } from "./world.mjs";

export default async function (world) {
  const page = await world.page();
  await world.visit(page, "/");
  await page.keyboard.press("Tab");
  const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim());
  assert.equal(await focused(), "To the content");
  await page.keyboard.press("/");
  await page.keyboard.type("Institut");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/search\?/);
  const reached = new Set();
  for (let step = 0; step < 120; step++) {
    await page.keyboard.press("Tab");
    const kind = await page.evaluate(() => {
      const it = document.activeElement;
      const outline = getComputedStyle(it).outlineStyle;
      if (outline === "none") return "no outline: " + it.outerHTML.slice(0, 80);
      if (it.closest(".hit h2")) return "hit";
      if (it.closest(".facet")) return "facet";
      if (it.closest("header nav")) return "navigation";
      return "other";
    });
    assert.ok(!kind.startsWith("no outline"), kind);
    reached.add(kind);
    if (reached.has("hit") && reached.has("facet")) break;
  }
  assert.ok(reached.has("hit") && reached.has("facet"), [...reached].join(", "));
  while (!(await page.evaluate(() => document.activeElement.closest(".hit h2")))) await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/doc\//);
}
