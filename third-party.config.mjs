// The programs in dist/ contain other people's packages; their licences ask that the text travels along.
// What is really bundled is read from esbuild's own account of it, so the list cannot grow stale.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

const RULER = '-'.repeat(80);

/** Writes one text file with name, version, licence and licence text of every bundled package. */
export async function writeNotices({ root, metafile, target }) {
  const notices = [];
  for (const folder of bundledPackages(metafile)) notices.push(await readNotice(path.join(root, folder)));
  const head = 'The programs in this folder contain the following packages, each under its own licence.\n';
  await writeFile(target, [head, ...notices].join(`\n${RULER}\n\n`));
}

/** Folders of the packages of which at least one byte is in an output, sorted. */
function bundledPackages(metafile) {
  const folders = new Set();
  for (const { inputs } of Object.values(metafile.outputs)) {
    for (const [file, { bytesInOutput }] of Object.entries(inputs)) {
      // The last node_modules counts: a package may bring a package of its own.
      const found = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file);
      if (found && bytesInOutput > 0) folders.add(found[0]);
    }
  }
  return [...folders].sort();
}

/** Throws when a package brings no licence text: then somebody has to look, before it is shipped. */
async function readNotice(folder) {
  const { name, version, license } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
  const files = (await readdir(folder)).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file)).sort();
  if (files.length === 0) throw new Error(`${name}@${version} is bundled and brings no licence text`);
  const texts = await Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')));
  return [`${name} ${version} (${license})`, ...texts.map((text) => text.trim())].join('\n\n').concat('\n');
}
