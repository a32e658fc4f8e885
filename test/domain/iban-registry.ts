/**
 * The structure of the BBAN of each country in the IBAN registry of SWIFT: `n` digits, `a` capitals, `c` both.
 * Source: stdnum/iban.dat of python-stdnum, which is made from the registry's own file; countries that joined it since, and
 * Costa Rica, as release 99 has them.
 */
export const REGISTRY: Readonly<Record<string, string>> = Object.fromEntries(
  (
    'AL 8n16c|AD 4n4n12c|AT 5n11n|AZ 4a20c|BH 4a14c|BE 3n7n2n|BA 3n3n8n2n|BR 8n5n10n1a1c|BG 4a4n2n8c|CR 4n14n|HR 7n10n|' +
    'CY 3n5n16c|CZ 4n6n10n|DK 4n9n1n|FO 4n9n1n|GL 4n9n1n|DO 4c20n|EE 2n2n11n1n|FI 6n7n1n|FR 5n5n11c2n|GE 2a16n|DE 8n10n|' +
    'GI 4a15c|GR 3n4n16c|GT 4c20c|HU 3n4n1n15n1n|IS 4n2n6n10n|IE 4a6n8n|IL 3n3n13n|IT 1a5n5n12c|JO 4a4n18c|KZ 3n13c|' +
    'XK 4n10n2n|KW 4a22c|LV 4a13c|LB 4n20c|LI 5n12c|LT 5n11n|LU 3n13c|MK 3n10c2n|MT 4a5n18c|MR 5n5n11n2n|MU 4a2n2n12n3n3a|' +
    'MD 2c18c|MC 5n5n11c2n|ME 3n13n2n|NL 4a10n|NO 4n6n1n|PK 4a16c|PS 4a21c|PL 8n16n|PT 4n4n11n2n|QA 4a21c|RO 4a16c|' +
    'LC 4a24c|SM 1a5n5n12c|ST 8n11n2n|SA 2n18c|RS 3n13n2n|SK 4n6n10n|SI 5n8n2n|ES 4n4n1n1n10n|SE 3n16n1n|CH 5n12c|' +
    'TL 3n14n2n|TN 2n3n13n2n|TR 5n1n16c|AE 3n16n|GB 4a6n8n|VG 4a16n|BY 4c4n16c|SV 4a20n|IQ 4a3n12n|SC 4a2n2n16n3a|' +
    'UA 6n19c|VA 3n15n|EG 25n|LY 3n3n15n|SD 14n|BI 5n5n11n2n|RU 9n5n15c|DJ 5n5n11n2n|SO 4n3n12n|NI 4a20n|MN 4n12n|' +
    'FK 2a12n|OM 3n16c|YE 4a4n18c'
  )
    .split('|')
    .map((entry) => entry.split(' ') as [string, string]),
);

/** The kind of each character of a structure, as in `aaaannnnnn`. */
export function kindsOf(structure: string): string {
  return structure.replace(/(\d+)([nac])/g, (_, count: string, kind: string) => kind.repeat(Number(count)));
}
