// German and English, by the browser's wish and by choice; the choice stays.
import { assert } from "./world.mjs";

export default async function (world) {
  const german = await world.page({ locale: "de-DE" });
  await world.visit(german, "/search?q=Institut");
  assert.equal(await german.locator("html").getAttribute("lang"), "de");
  await german.getByRole("button", { name: "Suchen" }).waitFor();
  await world.accessible(german);
  await german.getByRole("link", { name: "EN", exact: true }).click();
  await german.getByRole("button", { name: "Search" }).waitFor();
  assert.match(german.url(), /q=Institut/, "the question stays");
  await world.visit(german, "/vocabularies");
  assert.equal(await german.locator("html").getAttribute("lang"), "en", "the choice stays");
}
