import { createRandom } from '../inputs/random.ts';

/** A kind of secret, and how one of it stands in a text. */
export interface PlantedKind {
  readonly kind: string;
  /** The secret, and the text around it. */
  make(random: () => number): { readonly secret: string; readonly text: string };
}

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const DIGITS = '0123456789';
const MIXED = LOWER + UPPER + DIGITS;
const BASE32 = `${UPPER}234567`;
const HEX = `${DIGITS}abcdef`;

/** Secrets as their issuers write them, in the places where runs of agents show them. */
export const PLANTED_KINDS: readonly PlantedKind[] = [
  planted(
    'GitHub token',
    (some) => `ghp_${some(MIXED, 36)}`,
    (it) => `git clone with ${it}`,
  ),
  planted(
    'GitLab token',
    (some) => `glpat-${some(MIXED, 20)}`,
    (it) => `PRIVATE-TOKEN: ${it}`,
  ),
  planted(
    'npm token',
    (some) => `npm_${some(MIXED, 36)}`,
    (it) => `//registry/:_authToken=${it}`,
  ),
  planted(
    'AWS key id',
    (some) => `AKIA${some(BASE32, 16)}`,
    (it) => `export AWS_ACCESS_KEY_ID=${it}`,
  ),
  planted(
    'AWS secret key',
    (some) => some(`${MIXED}/+`, 40),
    (it) => `aws_secret_access_key = ${it}`,
  ),
  planted(
    'Google API key',
    (some) => `AIza${some(`${MIXED}_-`, 35)}`,
    (it) => `?key=${it}&q=1`,
  ),
  planted(
    'Slack token',
    (some) => `xoxb-${some(DIGITS, 12)}-${some(DIGITS, 12)}-${some(MIXED, 24)}`,
    (it) => `SLACK=${it}`,
  ),
  planted(
    'Stripe key',
    (some) => `sk_live_${some(MIXED, 24)}`,
    (it) => `stripe.api_key = "${it}"`,
  ),
  planted(
    'OpenAI key',
    (some) => `sk-proj-${some(`${MIXED}_-`, 74)}T3BlbkFJ${some(`${MIXED}_-`, 74)}`,
    (it) => `OPENAI_API_KEY=${it}`,
  ),
  planted(
    'Anthropic key',
    (some) => `sk-ant-api03-${some(`${MIXED}_-`, 93)}AA`,
    (it) => `x-api-key: ${it}`,
  ),
  planted(
    'Hugging Face token',
    (some) => `hf_${some(LOWER + UPPER, 34)}`,
    (it) => `login(token='${it}')`,
  ),
  planted(
    'JSON Web Token',
    (some) => `eyJ${some(MIXED, 30)}.eyJ${some(MIXED, 60)}.${some(`${MIXED}_-`, 43)}`,
    (it) => `cookie: session=${it}`,
  ),
  planted(
    'bearer token',
    (some) => some(MIXED, 40),
    (it) => `Authorization: Bearer ${it}`,
  ),
  planted(
    'private key',
    (some) =>
      `-----BEGIN RSA PRIVATE KEY-----\n${some(`${MIXED}/+`, 64)}\n${some(`${MIXED}/+`, 64)}\n-----END RSA PRIVATE KEY-----`,
    (it) => `cat id_rsa\n${it}`,
  ),
  planted(
    'password in an address',
    (some) => `https://deploy:${some(MIXED, 14)}@git.acme.dev`,
    (it) => `remote: ${it}/app.git`,
  ),
  planted(
    'database address',
    (some) => `postgres://app:${some(MIXED, 16)}@db.acme.dev:5432/app`,
    (it) => `DATABASE_URL=${it}`,
  ),
  planted(
    'password by name',
    (some) => `${some(LOWER, 5)}${some(DIGITS, 2)}${some(UPPER, 5)}!`,
    (it) => `"password": "${it}"`,
  ),
  planted(
    'API key by name',
    (some) => some(HEX, 32),
    (it) => `api_key: ${it}`,
  ),
  planted(
    'e-mail address',
    (some) => `${some(LOWER, 6)}.${some(LOWER, 8)}@${some(LOWER, 7)}.se`,
    (it) => `From: ${it}`,
  ),
  planted(
    'user name in a path',
    (some) => `${some(LOWER, 9)}`,
    (it) => `/home/${it}/src/app.py`,
  ),
];

/** Takes a number of characters of an alphabet. */
type Draw = (alphabet: string, length: number) => string;

function planted(
  kind: string,
  secretOf: (some: Draw) => string,
  around: (secret: string) => string,
): PlantedKind {
  return {
    kind,
    make(random) {
      const secret = secretOf((alphabet, length) =>
        Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]).join(''),
      );
      return { secret, text: around(secret) };
    },
  };
}

/** Numbers in (0, 1) for planting, the same each time. */
export function plantingRandom(): () => number {
  return createRandom(7);
}
