// Tells the story of the demo: numbered steps, indented lines, a clear end. No colours without a terminal.
const coloured = process.stdout.isTTY && !process.env.NO_COLOR;
const paint = (code) => (text) => (coloured ? `\u001B[${code}m${text}\u001B[0m` : text);
const bold = paint(1);
const dim = paint(2);
const green = paint(32);
const red = paint(31);

let steps = 0;

/** Begins a step; `why` says in a sentence what it shows. */
export function step(title, why) {
  steps += 1;
  console.log(`\n${bold(`${steps}. ${title}`)}\n   ${dim(why)}`);
}

/** One line below the current step. */
export function say(line) {
  console.log(`   ${line}`);
}

/** Something that had to be true, and was. Throws otherwise: the demo ends there. */
export function check(truth, sentence) {
  if (!truth) throw new Error(`step ${steps}: this should be true and is not: ${sentence}`);
  console.log(`   ${green('ok')} ${sentence}`);
}

/** Last lines of a demo that went well. */
export function end(line) {
  console.log(`\n${bold(green(line))}`);
}

/** Last lines of a demo that did not; `details` is what the server had to say. */
export function fail(error, details) {
  console.error(`\n${red('The demo failed.')} ${error.message}`);
  if (details) console.error(`\nThe server wrote:\n${details}`);
}
