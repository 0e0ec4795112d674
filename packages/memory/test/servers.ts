import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Subprocess } from 'bun';
import { programs } from './programs.ts';

/** A server that a test has to itself, and may ill-treat. */
export interface TestServer {
  readonly url: string;
  readonly port: number;
  readonly folder: string;
  /** Ends it at once, as a power cut of the process would. */
  kill(): Promise<void>;
  /** Stops it from answering, and lets it go on. */
  pause(): void;
  resume(): void;
  /** Starts it again on the same files. */
  start(): Promise<void>;
  /** Keeps a copy of its files; it is down for the moment. */
  copyFiles(): Promise<void>;
  /** Puts the copy in place of its files, as a fail-over to a server that lags behind would. */
  failOver(): Promise<void>;
  /** Ends it and removes its files. */
  remove(): Promise<void>;
}

/**
 * A new Postgres on 127.0.0.1, a child of this process.
 *
 * @param bin - where its programs are.
 */
export async function startPostgres(
  settings: readonly string[] = [],
  bin: string | undefined = programs.postgres,
): Promise<TestServer> {
  if (bin === undefined) throw new Error('no Postgres on this machine');
  const { folder, as } = await unprivileged('kp-postgres-');
  const data = join(folder, 'data');
  const options = ['-U', 'kp', '-A', 'trust', '-N', '-E', 'UTF8', '--locale=C'];
  const made = Bun.spawnSync([...as, join(bin, 'initdb'), '-D', data, ...options], {
    cwd: folder,
  });
  if (made.exitCode !== 0) throw new Error(`initdb: ${made.stderr.toString()}`);
  const port = await freePort();
  const words = ['-p', `${port}`, '-h', '127.0.0.1', '-k', folder];
  // What a killed process has written, the system has: only a power cut would need the disk.
  const quick = [
    'fsync=off',
    'max_connections=30',
    'shared_buffers=32MB',
    // In its folder, which is removed: what a killed server has in /dev/shm stays there.
    'dynamic_shared_memory_type=mmap',
    'log_min_messages=fatal',
  ];
  for (const setting of [...quick, ...settings]) words.push('-c', setting);
  const command = [...as, join(bin, 'postgres'), '-D', data, ...words];
  const url = `postgres://kp@127.0.0.1:${port}/postgres`;
  const ready = join(bin, 'pg_isready');
  const isUp = () =>
    Bun.spawnSync([ready, '-h', '127.0.0.1', '-p', `${port}`, '-q']).exitCode === 0;
  return serve({ url, port, folder, command, isUp });
}

/**
 * A new PgBouncer in transaction mode on 127.0.0.1, a child of this process.
 *
 * @param server - the Postgres behind it.
 * @param settings - lines of its file.
 */
export async function startPgBouncer(
  server: Pick<TestServer, 'port'>,
  settings: readonly string[] = [],
  program: string | undefined = programs.pgbouncer,
): Promise<TestServer> {
  if (program === undefined) throw new Error('no PgBouncer on this machine');
  const { folder, as } = await unprivileged('kp-pgbouncer-');
  const port = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  const lines = [
    '[databases]',
    `* = host=127.0.0.1 port=${server.port} user=kp`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    ...settings,
  ];
  await writeFile(file, `${lines.join('\n')}\n`, { mode: 0o644 });
  const command = [...as, program, '-q', file];
  const url = `postgres://kp@127.0.0.1:${port}/postgres`;
  return serve({ url, port, folder, command, isUp: () => isListening(port) });
}

/** A folder, and what a command begins with, for servers that refuse to be root. */
async function unprivileged(
  prefix: string,
): Promise<{ readonly folder: string; readonly as: readonly string[] }> {
  const folder = await mkdtemp(join(tmpdir(), prefix));
  if (process.getuid?.() !== 0) return { folder, as: [] };
  const uid = Number(Bun.spawnSync(['id', '-u', 'postgres']).stdout.toString());
  await chown(folder, uid, uid);
  await chmod(folder, 0o755);
  return { folder, as: ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'] };
}

/** A new Redis (or Valkey) on 127.0.0.1, a child of this process, with an append-only file. */
export async function startRedis(
  settings: readonly string[] = [],
  program: string | undefined = programs.redis,
): Promise<TestServer> {
  if (program === undefined) throw new Error('no Redis on this machine');
  const folder = await mkdtemp(join(tmpdir(), 'kp-redis-'));
  const port = await freePort();
  const words = ['--bind', '127.0.0.1', '--port', `${port}`, '--dir', folder, '--save', ''];
  // By default Redis may answer up to two seconds before it writes, and a kill in between loses that.
  const durable = ['--appendonly', 'yes', '--appendfsync', 'always'];
  const command = [program, ...words, ...durable, '--logfile', 'log', ...settings];
  const url = `redis://127.0.0.1:${port}`;
  return serve({ url, port, folder, command, isUp: () => isListening(port) });
}

async function isListening(port: number): Promise<boolean> {
  const socket = await Bun.connect({
    hostname: '127.0.0.1',
    port,
    socket: { data: () => undefined },
  }).catch(() => undefined);
  socket?.end();
  return socket !== undefined;
}

interface ServerFacts {
  readonly url: string;
  readonly port: number;
  readonly folder: string;
  readonly command: readonly string[];
  readonly isUp: () => boolean | Promise<boolean>;
}

async function serve({ url, port, folder, command, isUp }: ServerFacts): Promise<TestServer> {
  let child: Subprocess | undefined;
  async function start(): Promise<void> {
    child = Bun.spawn([...command], { cwd: folder, stdio: ['ignore', 'ignore', 'ignore'] });
    const { pid } = child;
    // Children must not outlive the tests, however these end.
    process.once('exit', () => signal(pid, 'SIGKILL'));
    for (let i = 0; i < 2400; i++) {
      if (await isUp()) return;
      if (child.exitCode !== null) throw new Error(`${command.join(' ')}: ${child.exitCode}`);
      await Bun.sleep(25);
    }
    throw new Error(`${command[0]}: not up after 60 s`);
  }
  async function kill(): Promise<void> {
    if (child === undefined) return;
    const killed = child;
    child = undefined;
    // Those of Postgres's own children who outlive it would keep its shared memory.
    const family = childrenOf(killed.pid);
    for (const pid of [killed.pid, ...family]) signal(pid, 'SIGKILL');
    await killed.exited;
    // Those that are dead but that nobody has waited for look alive, where init does not.
    for (let i = 0; i < 1000 && family.some(isAlive); i++) await Bun.sleep(5);
  }
  await start();
  return {
    url,
    port,
    folder,
    kill,
    start,
    pause() {
      if (child !== undefined) {
        for (const pid of [child.pid, ...childrenOf(child.pid)]) signal(pid, 'SIGSTOP');
      }
    },
    resume() {
      if (child !== undefined) {
        for (const pid of [child.pid, ...childrenOf(child.pid)]) signal(pid, 'SIGCONT');
      }
    },
    async copyFiles() {
      await kill();
      Bun.spawnSync(['cp', '-a', folder, `${folder}-copy`]);
      await start();
    },
    async failOver() {
      await kill();
      Bun.spawnSync(['rm', '-rf', folder]);
      Bun.spawnSync(['cp', '-a', `${folder}-copy`, folder]);
      await start();
    },
    async remove() {
      await kill();
      await rm(folder, { recursive: true, force: true });
      await rm(`${folder}-copy`, { recursive: true, force: true });
    },
  };
}

function childrenOf(pid: number): number[] {
  const { stdout } = Bun.spawnSync(['ps', '-o', 'pid=', '--ppid', `${pid}`]);
  return stdout.toString().split('\n').map(Number).filter(Boolean);
}

function isAlive(pid: number): boolean {
  return signal(pid, 0);
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

/**
 * A port that nobody listens at, below those that systems give to clients: a connection of another
 * test could take one of these while the server at it is down.
 */
async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = 10_000 + Math.floor(Math.random() * 20_000);
    if (await isFree(port)) return port;
  }
  throw new Error('no free port from 10000 to 29999');
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().on('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
