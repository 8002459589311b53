// Runs one script: node run.mjs NAME BASE
import { World } from "./world.mjs";

const [name, base] = process.argv.slice(2);
const { default: script } = await import(`./${name}.mjs`);
const world = await World.open(base);
let failed = false;
try {
  await script(world);
  world.checkQuiet();
} catch (error) {
  failed = true;
  console.error(error.stack ?? error);
  await world.describe();
} finally {
  await world.close();
}
process.exit(failed ? 1 : 0);
