// On a narrow screen nothing is cut off.
export default async function (world) {
  const page = await world.page({ viewport: { width: 390, height: 800 } });
  for (const address of ["/", "/search?q=Institut", "/kwic?q=Institut", "/kwic/frequencies", "/vocabularies", "/browse", "/organisation", "/statistics"]) {
    await world.visit(page, address);
    await world.fits(page);
  }
}
