// The pictures of the documentation; made anew with AUSLESE_RECORD=1. Every page is drawn in light and dark.
import { assert } from "./world.mjs";

const PICTURES = [
  ["search", "/search?q=Geschichte"],
  ["words", "/kwic?q=Universit%C3%A4t&sort=R1,R2,R3"],
  ["organisation", "/organisation/demo"],
  ["statistics", "/statistics/demo"],
  ["browse", "/browse/demo"],
  ["vocabularies", "/vocabularies"],
  ["databases", "/databases/demo"],
  ["monitor", "/monitor/demo"],
  ["try", "/try?example=yes"],
];

export default async function (world) {
  for (const colorScheme of ["light", "dark"]) {
    const page = await world.page({ colorScheme, viewport: { width: 1280, height: 860 } });
    for (const [name, address] of PICTURES) {
      const response = await world.visit(page, address);
      assert.equal(response.status(), 200, address);
      await world.accessible(page);
      await world.picture(page, colorScheme === "light" ? name : `${name}-dark`);
    }
    // A paper on the test bench.
    const { measured } = await (await page.request.get(`${world.base}/bench/demo?format=json`)).json();
    const tree = await page.request.get(`${world.base}/bench/demo/run/${measured}?field=abstract&format=json`);
    const paper = (await tree.json()).found.find((it) => it.url.endsWith(".pdf"));
    await world.visit(page, paper.page);
    await world.accessible(page);
    await world.picture(page, colorScheme === "light" ? "bench" : "bench-dark");
    // A document with what is known of it, and its archived page.
    await world.visit(page, "/search?q=title%3AGeschichte");
    await page.locator(".hit h2 a").first().click();
    await page.waitForURL(/\/doc\//);
    await world.accessible(page);
    await world.picture(page, colorScheme === "light" ? "document" : "document-dark");
  }
}
