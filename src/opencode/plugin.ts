/**
 * The plugin that the cutover registers with OpenCode. It runs inside OpenCode: every skill that OpenCode does not
 * bring along itself is taken out of the list in the model's context, and stays loadable by its id.
 */

interface Skill {
  readonly id?: unknown;
  readonly name?: unknown;
  readonly location?: unknown;
}

interface Editor {
  list(): readonly Skill[];
  update(id: string, change: (skill: { autoinvoke?: boolean }) => void): void;
}

type Transform = (change: (editor: Editor) => void) => unknown;

const plugin = {
  id: 'skill-mcp-cutover',
  /** Called once by OpenCode. Does nothing where OpenCode's skills cannot be changed by plugins yet. */
  async setup(context: unknown): Promise<void> {
    const domain = read(context, 'skill');
    const transform = read(domain, 'transform');
    if (!isTransform(transform)) return;
    await transform.call(domain, (editor) => {
      for (const { id, name, location } of editor.list()) {
        if (typeof location === 'string' && location.startsWith('/builtin/')) continue;
        const key = typeof id === 'string' ? id : name;
        if (typeof key !== 'string') continue;
        editor.update(key, (skill) => {
          skill.autoinvoke = false;
        });
      }
    });
  },
};

function read(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}

function isTransform(value: unknown): value is Transform {
  return typeof value === 'function';
}

export default plugin;
