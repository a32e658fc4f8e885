/** What the file of a PEM text holds in place of an Ed25519 private key. `label`: as the PEM names it. */
export type PemFault =
  /** `blocks`: how many PEM blocks there are. */
  | { code: 'not_pem'; blocks: number }
  | { code: 'not_private' | 'not_pkcs8'; label: string }
  | { code: 'encrypted' }
  | { code: 'not_ed25519'; holds: 'rsa' | 'rsa_pss' | 'ec' | 'x25519' | 'ed448' | 'another' }
  | { code: 'damaged'; how: 'base64' | 'structure' | 'another_public_key' };

/** What a file that only its owner may read is. */
export type SecretFile = 'key' | 'passphrase';

/** Why a file of a key, or of a passphrase, cannot be used or made. It holds no secret. `cause`: the system's code. */
export type KeyFileFault = { path: string } & (
  | PemFault
  /** `isOfPerson`: it should be the encrypted key of a person. */
  | { code: 'not_found'; of: SecretFile; isOfPerson?: true }
  | { code: 'not_a_file'; of: SecretFile }
  | { code: 'unreadable'; of: SecretFile; cause: string }
  /** `mode`: the permission bits of the file. */
  | { code: 'mode_too_wide'; of: SecretFile; mode: number }
  | { code: 'too_large'; of: SecretFile; bytes: number }
  /** `could`: what anybody who has the file could do with it; null where that is not to be named. */
  | { code: 'not_encrypted'; could: 'approve' | 'make_plan' | null }
  | { code: 'wrong_passphrase' | 'exists' }
  | { code: 'unwritable'; cause: string }
  /** `cause`: what the package of age says. */
  | { code: 'not_decrypted'; cause: string }
  | { code: 'no_passphrase'; isEmpty: boolean }
);
