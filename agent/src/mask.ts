const MASK = "•••";
/** Characters; what the server takes (monitors/schemas/agent-report.ts). */
const MOST_SHOWN = 4_096;

/** Names of options and variables whose values are secret. */
const SECRET_NAME =
  /(?:^|[-_.])(?:pass(?:word|wd|phrase|code)?|pwd|secret|token|(?:api|access|private|auth|secret|encryption|signing|account|shared)[-_.]?key|apikey|auth|authorization|bearer|credentials?|cookie|session|jwt|pin|otp|dsn|sas)(?:[-_.]|$)/i;

// Each of these begins where a word of its kind begins (hence what precedes it) or has a longest length: a command line is
// whatever its user likes, and must not keep this process busy.
/** `user:password@` of an address, also where the password has a slash that should have been encoded. */
const IN_URL =
  /(?<![a-z0-9+.-])([a-z][a-z0-9+.-]*:\/\/)(?:[^\s/@]{1,512}|[^\s/@:]{0,256}:(?!\d{1,5}\/)[^\s@]{1,512})@/gi;
/** In the query of an address, in a connection string, in a header. */
const PAIR = /(?<![\w.-])([\w.-]+)(=|:(?!\/\/)\s*)("[^"]*"|'[^']*'|[^\s&;,"']+)/g;
const BEARER = /\b(bearer|basic)\s+[\w+/=._~-]{6,}/gi;
/** What gives itself away by its form: tokens of well-known services, and JSON Web Tokens. */
const WELL_KNOWN =
  /\b(?:(?<![\w-])eyJ[\w-]{8,}\.[\w-]+\.[\w-]*|gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abposr]-[\w-]{10,}|sk[-_][\w-]{16,}|(?:AKIA|ASIA)[A-Z0-9]{16}|vd[aet]_[\w-]{16,})/g;

/** Programs whose `-p` is a password; elsewhere it is a port or a path. */
const SHORT_PASSWORD: Readonly<Record<string, RegExp>> = {
  mysql: /^-p(?=.)/,
  mysqldump: /^-p(?=.)/,
  mysqladmin: /^-p(?=.)/,
  mariadb: /^-p(?=.)/,
  "mariadb-dump": /^-p(?=.)/,
  sshpass: /^-p(?=.)?/,
  "redis-cli": /^-a$/,
  curl: /^-u$|^-u(?=.)/,
  wget: /^-u$/,
  ldapsearch: /^-w$/,
  smbclient: /^-U$/,
};

/**
 * One line of a command's words, without the secrets among them. It hides too much rather than too little: what stays
 * shows which program it is and what it works on.
 */
export function maskArguments(words: readonly string[]): string {
  const [title = ""] = words;
  // What a program writes over its words, `sshd-session: ada`: its name is no secret's.
  const end = words.length === 1 ? (/^[\w.-]{1,64}: /.exec(title)?.[0].length ?? 0) : 0;
  return (title.slice(0, end) + maskText(maskWords([title.slice(end), ...words.slice(1)]))).slice(
    0,
    MOST_SHOWN,
  );
}

function maskWords(words: readonly string[]): string {
  const program = (words[0] ?? "").slice((words[0] ?? "").lastIndexOf("/") + 1);
  const short = SHORT_PASSWORD[program];
  const shown: string[] = [];
  let hidesNext = false;
  for (const word of firstOf(words)) {
    if (hidesNext && !isOption(word)) {
      shown.push(MASK);
      hidesNext = false;
      continue;
    }
    const found = short?.exec(word);
    hidesNext = found ? found[0] === word : isOption(word) && !word.includes("=") && isSecretName(word);
    shown.push(found && found[0] !== word ? `${found[0]}${MASK}` : maskText(word));
  }
  return shown.join(" ");
}

/** Any text without what looks like a secret in it. */
function maskText(text: string): string {
  return text
    .replace(IN_URL, `$1${MASK}@`)
    .replace(BEARER, `$1 ${MASK}`)
    .replace(WELL_KNOWN, MASK)
    .replace(PAIR, (whole, name: string, sign: string) =>
      isSecretName(name) ? `${name}${sign}${MASK}` : whole,
    );
}

/** As many as may be shown, and some more: what is cut off must not be what says that a secret precedes it. */
function firstOf(words: readonly string[]): string[] {
  const first: string[] = [];
  let left = 2 * MOST_SHOWN;
  for (const word of words) {
    if (left <= 0) break;
    first.push(word.slice(0, left));
    left -= word.length + 1;
  }
  return first;
}

const isOption = (word: string) => /^-{1,2}[a-z]/i.test(word);
/** Also where words are written together: `dbPassword`, `accessToken`. */
const isSecretName = (name: string) => SECRET_NAME.test(name.replace(/([a-z0-9])([A-Z])/g, "$1-$2"));
