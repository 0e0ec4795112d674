// Run by Node on the built package: whichever SQLite it has keeps the contract.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkMemoryContract, sharedMemoryContract } from '@kp/memory/contract';
import { openSqliteMemory } from '@kp/memory/sqlite';

const folder = await mkdtemp(join(tmpdir(), 'kp-node-'));
try {
  await checkMemoryContract(
    sharedMemoryContract,
    ({ name, maxElements, embedderId: id, dimensions }) =>
      openSqliteMemory(join(folder, `${name}.db`), {
        maxElements,
        embedder: { id, dimensions },
        onWarning: () => undefined,
      }),
  );
  console.log(`${sharedMemoryContract.length} rules kept`);
} catch (error) {
  console.log(error.code, error.message);
} finally {
  await rm(folder, { recursive: true });
}
