import { request } from 'node:http';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BareRepository } from './bare-repository.js';
import { FakeGitHub, TOKEN } from './server.js';

interface Reply {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
  body: any;
  etag: string;
}

describe('the stand-in for GitHub', () => {
  let fake: FakeGitHub;
  let bare: BareRepository;
  beforeEach(async () => {
    fake = await FakeGitHub.start();
    bare = await fake.addRepository('acme/skills');
  });
  afterEach(() => fake.close());

  function ask(
    method: string,
    address: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const call = request(
        { socketPath: path.join(fake.directory, 's'), method, path: `/repos/acme/${address}`, headers },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
          response.on('end', () => {
            const parsed = text === '' ? null : JSON.parse(text);
            resolve({ status: response.statusCode ?? 0, body: parsed, etag: String(response.headers.etag) });
          });
        },
      );
      call.on('error', reject);
      call.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }
  const git = (method: string, address: string, body?: object) => ask(method, `skills/git/${address}`, body);

  it('refuses every git call of a repository without a commit, and takes a first file', async () => {
    expect((await git('GET', 'ref/heads/main')).status).toBe(409);
    expect((await git('POST', 'blobs', { content: 'x', encoding: 'utf-8' })).status).toBe(409);
    expect((await ask('GET', 'skills/contents/a')).status).toBe(404);
    expect(
      (await ask('PUT', 'skills/contents/a', { message: 'm', content: 'eA==', branch: 'main' })).status,
    ).toBe(201);
    expect((await git('GET', 'ref/heads/main')).status).toBe(200);
    expect(
      (await ask('PUT', 'skills/contents/a', { message: 'm', content: 'eA==', branch: 'main' })).status,
    ).toBe(422);
  });

  it('makes the objects that git makes, and refuses what git cannot hold', async () => {
    await bare.commit({ 'a/x': '1', 'b/y': '2', c: '3' });
    const made = await git('POST', 'blobs', { content: 'aGVsbG8K', encoding: 'base64' });
    expect(made.body.sha).toBe('ce013625030ba8dba906f756967f9e9ca394464a');
    expect((await git('POST', 'blobs', { content: '!!', encoding: 'base64' })).status).toBe(422);
    const base_tree = await bare.readRef('refs/heads/main^{tree}');
    const row = (more: object) => ({
      base_tree,
      tree: [{ path: 'a/x', mode: '100644', type: 'blob', ...more }],
    });
    const changed = await git('POST', 'trees', row({ content: 'new' }));
    expect(changed.body.tree.map(({ path: name }: { path: string }) => name)).toEqual(['a', 'b', 'c']);
    const gone = await git('POST', 'trees', row({ sha: null }));
    expect(gone.body.tree.map(({ path: name }: { path: string }) => name)).toEqual(['b', 'c']);
    for (const bad of [
      row({ path: 'nope', sha: null }),
      row({ path: '../x', content: '' }),
      row({ path: '.git/x', content: '' }),
      row({ sha: 'a'.repeat(40) }),
      { tree: [] },
      { ...row({ content: '' }), base_tree: 'b'.repeat(40) },
    ]) {
      expect((await git('POST', 'trees', bad)).status).toBe(422);
    }
  });

  it('moves a branch forward only, and knows which tags are taken', async () => {
    const first = await bare.commit({ a: '1' });
    const tree = (await bare.readRef(`${first}^{tree}`)) ?? '';
    const beside = await bare.commitTree(tree, [], 'beside');
    const next = await bare.commitTree(tree, [first], 'next');
    const move = (sha: string, branch = 'main') =>
      git('PATCH', `refs/heads/${branch}`, { sha, force: false });
    expect((await move(beside)).body.message).toBe('Update is not a fast forward');
    expect((await move('a'.repeat(40))).body.message).toBe('Object does not exist');
    expect((await move(next, 'nope')).body.message).toBe('Reference does not exist');
    expect((await move(next)).status).toBe(200);
    expect(
      (await git('POST', 'commits', { message: 'm', tree: 'a'.repeat(40), parents: [] })).body.message,
    ).toBe('Tree SHA does not exist');
    expect((await git('POST', 'refs', { ref: 'refs/tags/x/v1', sha: next })).status).toBe(201);
    expect((await git('POST', 'refs', { ref: 'refs/tags/x/v1', sha: first })).body.message).toBe(
      'Reference already exists',
    );
  });

  it('answers 304 to who has it, cuts long listings, and hides large files from contents', async () => {
    await bare.commit({ 'a/x': '1', 'a/y': '2', big: Buffer.alloc(1024 * 1024 + 1) });
    const first = await git('GET', 'trees/main?recursive=1');
    expect(first.body).toMatchObject({ truncated: false, tree: { length: 4 } });
    expect(
      (await ask('GET', 'skills/git/trees/main?recursive=1', undefined, { 'If-None-Match': first.etag }))
        .status,
    ).toBe(304);
    fake.treeLimit = 2;
    expect((await git('GET', 'trees/main?recursive=0')).body).toMatchObject({
      truncated: true,
      tree: { length: 2 },
    });
    expect((await ask('GET', 'skills/contents/big')).body).toMatchObject({ encoding: 'none', content: '' });
    expect((await ask('GET', 'skills/contents/a/x')).body.content).toBe(Buffer.from('1').toString('base64'));
  });

  it('knows its token, and hides what is private', async () => {
    bare.isPrivate = true;
    expect((await ask('GET', 'skills')).status).toBe(404);
    expect((await ask('GET', 'skills', undefined, { authorization: 'token bad' })).status).toBe(401);
    expect((await ask('GET', 'skills', undefined, { authorization: `token ${TOKEN}` })).status).toBe(200);
    expect((await ask('GET', 'nope')).status).toBe(404);
  });
});
