import type { KeyFileFault } from '../../domain/refusals/key-faults.ts';
import { plainCommand, shellWord } from '../command-line.ts';

/** Why a file of a key or a passphrase cannot be used or made, and what to do. */
export function keyFileText(fault: KeyFileFault): [message: string, remedy: string] {
  const [what, remedy] = textOf(fault);
  const of = 'of' in fault ? fault.of : fault.code === 'no_passphrase' ? 'passphrase' : 'key';
  return [`the ${of} file ${fault.path} ${what}`, remedy];
}

const MAKE_ONE = 'make one with: payrun keys new';
const RESTORE = 'restore it from where you keep your keys';

/** What is wrong, behind the name of the file. */
function textOf(fault: KeyFileFault): [what: string, remedy: string] {
  switch (fault.code) {
    case 'not_pem': {
      const { blocks } = fault;
      const what = blocks === 0 ? 'is not a PEM file' : `holds ${blocks} PEM blocks instead of one private key`;
      return [what, `give the PEM file of the private key, or ${MAKE_ONE}`];
    }
    case 'not_private':
      return [
        `holds a ${fault.label.toLowerCase()}, not a private key`,
        'give the file of the private key that belongs to it',
      ];
    case 'encrypted':
      return [
        'is encrypted with a passphrase',
        'decrypt it with: openssl pkcs8 -in FILE -out NEW_FILE, and: chmod 600 NEW_FILE',
      ];
    case 'not_pkcs8':
      return [
        `holds "${fault.label}", not a PKCS#8 private key`,
        `give a PKCS#8 PEM file ("BEGIN PRIVATE KEY"), or ${MAKE_ONE}`,
      ];
    case 'not_ed25519':
      return [
        `holds ${OTHER_KEYS[fault.holds]}, not an Ed25519 key`,
        `the service takes Ed25519 keys only; ${MAKE_ONE}`,
      ];
    case 'damaged':
      return [`is damaged: ${DAMAGE[fault.how]}`, `${RESTORE}, or ${MAKE_ONE}`];
    case 'not_found': {
      const approver = plainCommand('keys', 'new', '--approver', fault.path);
      const make = fault.isOfPerson ? `make one with: ${approver}` : MAKE_ONE;
      return ['is not there', fault.of === 'key' ? `check the path, or ${make}` : 'check the path'];
    }
    case 'not_a_file':
      return ['is not a file', 'give the path of the file itself'];
    case 'unreadable':
      return [`cannot be read (${fault.cause})`, 'let the user that runs payrun own it'];
    case 'mode_too_wide': {
      const mode = fault.mode.toString(8).padStart(4, '0');
      return [`has mode ${mode}: its permissions are too open`, `chmod 600 ${shellWord(fault.path)}`];
    }
    case 'too_large':
      return [`has ${fault.bytes} bytes, too many for one`, 'check the path'];
    case 'not_encrypted': {
      const { could } = fault;
      if (could === null) return ['is not encrypted', 'encrypt it'];
      const act = could === 'approve' ? 'approve' : 'make plans in the name of its owner';
      const remedy = 'make a key that has a passphrase: payrun keys new --approver FILE';
      return [`is not encrypted, so anyone who has it could ${act}`, remedy];
    }
    case 'wrong_passphrase':
      return ['does not open with this passphrase', 'give the one it was made with'];
    case 'exists':
      return ['is there already', 'choose another path; a key is never overwritten'];
    case 'unwritable':
      return [`cannot be written (${fault.cause})`, 'choose a path in a folder that exists and can be written'];
    case 'not_decrypted':
      return [`is damaged (${fault.cause})`, RESTORE];
    case 'no_passphrase':
      return [fault.isEmpty ? 'is empty' : 'has more than one line', 'write the passphrase into it, in one line'];
  }
}

const OTHER_KEYS: Readonly<Record<Extract<KeyFileFault, { code: 'not_ed25519' }>['holds'], string>> = {
  rsa: 'an RSA key',
  rsa_pss: 'an RSA-PSS key',
  ec: 'an elliptic-curve (EC) key',
  x25519: 'an X25519 key',
  ed448: 'an Ed448 key',
  another: 'another kind of key',
};

const DAMAGE: Readonly<Record<Extract<KeyFileFault, { code: 'damaged' }>['how'], string>> = {
  base64: 'its base64 is not complete',
  structure: 'it is not a PKCS#8 structure',
  another_public_key: 'the public key in it belongs to another private key',
};
