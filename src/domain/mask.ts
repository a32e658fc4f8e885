/** An identifier with all but its last four characters hidden: `••••5678`. Four or fewer are hidden whole. */
export function maskIdentifier(value: string): string {
  const plain = value.trim();
  if (plain === '') return '';
  return plain.length <= 4 ? '••••' : `••••${plain.slice(-4)}`;
}
