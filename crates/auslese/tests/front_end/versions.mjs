// The captures of a document in a calendar, and what changed between two of them, word by word.
import { assert } from "./world.mjs";

// A document that changed between the rounds of the demo.
const CHANGED = "SELECT request_id FROM version WHERE change = 'changed' ORDER BY words_added DESC LIMIT 1";

export default async function (world) {
  const page = await world.page();
  const answer = await page.request.get(`${world.base}/sql/demo?format=json&sql=${encodeURIComponent(CHANGED)}`);
  const [[document]] = (await answer.json()).answer.rows;
  await world.visit(page, `/doc/demo/${document}`);
  await page.getByRole("link", { name: "Versions", exact: true }).click();
  await page.waitForURL(/\/versions$/);
  await world.accessible(page);
  const days = page.locator("table.month .has-capture a");
  assert.ok((await days.count()) > 0, "days with captures are marked");

  await page.getByRole("link", { name: "what changed" }).first().click();
  await page.waitForURL(/\/versions\/diff\?/);
  await world.accessible(page);
  const [added, removed] = [await page.locator(".diff ins").count(), await page.locator(".diff del").count()];
  assert.ok(added + removed > 0, "words were added or removed");

  // The same by choosing two captures.
  await page.goBack();
  await page.getByRole("button", { name: "Compare words" }).click();
  await page.waitForURL(/\/versions\/diff\?from=\d+&to=\d+$/);
  assert.equal(await page.locator(".diff ins").count(), added);

  // A day of the calendar leads to the page as it was.
  await page.goBack();
  await days.first().click();
  await page.waitForURL(/\/page\?capture=|\/versions\?|\/page/);
  assert.equal(await page.locator("iframe.replay").count(), 1);
}
