// The registry of the rehearsal. Node runs it in a folder with verdaccio. It serves only our own packages
// from the folder `storage` and prints its port.
import { createRequire } from 'node:module';
import { join } from 'node:path';

const folder = process.cwd();
const { runServer } = createRequire(join(folder, 'package.json'))('verdaccio');
const anybody = { access: '$all', publish: '$all' };
const server = await runServer({
  self_path: join(folder, 'config.yaml'),
  storage: join(folder, 'storage'),
  packages: { '@kp/*': anybody, '@knowledgepulse/*': anybody },
  auth: { htpasswd: { file: join(folder, 'htpasswd'), max_users: -1 } },
  uplinks: {},
  web: { enable: false },
  log: { type: 'stdout', format: 'pretty', level: 'error' },
});
// Exit when the parent process is gone and the input ends.
process.stdin.resume().on('end', () => process.exit());
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
