/** What begins like this opens something, and whoever reads the file could use it. */
const SECRETS =
  /-----BEGIN [A-Z ]*PRIVATE KEY|^\s*(?:whsec_|AGE-SECRET-KEY-|MC4CAQAwBQYDK2Vw|smtps?:\/\/[^\s/@]*:[^\s@]*@)/i;

/** What is wrong with a text that is a secret itself, or null. The text is not repeated. */
export function secretProblem(text: string): { message: string; remedy: string } | null {
  if (!SECRETS.test(text)) return null;
  return {
    message: 'a secret does not belong in this file',
    remedy: 'write where it is (env:NAME, file:PATH, the path of a key file), and make a new one',
  };
}
