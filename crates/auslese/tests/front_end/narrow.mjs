// On a narrow screen nothing is cut off, and what is wider than the screen can be moved with the keyboard, too.
const PAGES = [
  "/", "/search?q=Institut", "/kwic?q=Institut", "/kwic/frequencies", "/kwic/collocations?q=Institut", "/kwic/curve?q=Institut&all=1",
  "/kwic/groups?q=Institut&by=host", "/vocabularies", "/vocabularies/demo/sozialthesaurus", "/vocabularies/demo/sozialthesaurus-schlagwoerter",
  "/browse/demo", "/browse/demo?server=http%3A%2F%2Fwww.uni-hohenwerth.example", "/organisation/demo", "/organisation/demo?view=profile",
  "/organisation/demo?view=domains", "/organisation/demo/www.uni-hohenwerth.example", "/statistics/demo", "/statistics/demo/types",
  "/statistics/demo/rounds", "/databases/demo", "/databases/demo?cooperation=none", "/sql/demo", "/sql/demo?sql=SELECT%20*%20FROM%20server_info", "/about",
];

export default async function (world) {
  const page = await world.page({ viewport: { width: 390, height: 800 } });
  const hits = await (await page.request.get(world.base + "/search?q=Institut&format=json")).json();
  const first = hits.hits.find((hit) => hit.page.startsWith("/doc/"));
  const tabs = ["", "/page", "/source", "/text", "/record", "/links", "/versions", "/related"].map((tab) => first.page + tab);
  const { databases } = await (await page.request.get(world.base + "/databases/demo?format=json")).json();
  for (const address of [...PAGES, ...tabs, ...databases.slice(0, 5).map((it) => it.page)]) {
    await world.visit(page, address);
    await world.fits(page);
    await world.accessible(page);
  }
}
