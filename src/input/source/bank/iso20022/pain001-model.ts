import type { BankFormat } from '../bank-kind.ts';

/** The messages that are read. */
export type Pain001 = Extract<BankFormat, `pain.${string}`>;

/**
 * The elements of each type, in their order: `Name:type`, with `?` for at most one, `*` and `+` for several, `{0,2}` for
 * at most two. `|` begins a choice of one. Types of small letters are texts (`text-rules.ts`); what is `any` is read for
 * nothing. Source: ISO 20022 message definition report, Payments Initiation, CustomerCreditTransferInitiation V03 and V09.
 */
export type ContentModel = Readonly<Record<string, string>>;

const BOTH: ContentModel = {
  Document: 'CstmrCdtTrfInitn:Initiation',
  Header: `MsgId:max35 CreDtTm:time Authstn{0,2}:any NbOfTxs:count CtrlSum?:decimal InitgPty:Party FwdgAgt?:Agent`,
  CodeOf4: '|Cd:max4 Prtry:max35',
  CodeOf5: '|Cd:max5 Prtry:max35',
  CodeOf35: '|Cd:max35 Prtry:max35',
  Amount: '|InstdAmt:amount EqvtAmt:any',
  Clearing: 'ClrSysId?:CodeOf5 MmbId:max35',
  Agent: 'FinInstnId:Bank BrnchId?:any',
  Identification: 'Id:max35 SchmeNm?:CodeOf4 Issr?:max35',
  AccountId: '|IBAN:iban Othr:OtherAccount',
  OtherAccount: 'Id:max34 SchmeNm?:CodeOf4 Issr?:max35',
  Party: 'Nm?:max140 PstlAdr?:Address Id?:any CtryOfRes?:country CtctDtls?:any',
  Remittance: 'Ustrd*:max140 Strd*:Structured',
  CreditorReference: 'Tp?:any Ref?:max35',
};

const PAYMENT_BEGIN = `PmtTpInf?:Kind Amt:Amount XchgRateInf?:any ChrgBr?:bearer ChqInstr?:any UltmtDbtr?:Party
  IntrmyAgt1?:Agent IntrmyAgt1Acct?:Account IntrmyAgt2?:Agent IntrmyAgt2Acct?:Account IntrmyAgt3?:Agent
  IntrmyAgt3Acct?:Account CdtrAgt?:Agent CdtrAgtAcct?:Account Cdtr?:Party CdtrAcct?:Account UltmtCdtr?:Party
  InstrForCdtrAgt*:any InstrForDbtrAgt?:max140 Purp?:CodeOf4 RgltryRptg{0,10}:any Tax?:any RltdRmtInf{0,10}:any
  RmtInf?:Remittance`;

const INSTRUCTION_BEGIN = `PmtInfId:max35 PmtMtd:method BtchBookg?:truth NbOfTxs?:count CtrlSum?:decimal PmtTpInf?:Kind`;
const INSTRUCTION_END = 'UltmtDbtr?:Party ChrgBr?:bearer ChrgsAcct?:Account ChrgsAcctAgt?:Agent CdtTrfTxInf+:Payment';

export const PAIN001: Readonly<Record<Pain001, ContentModel>> = {
  'pain.001.001.03': {
    ...BOTH,
    Initiation: 'GrpHdr:Header PmtInf+:Instruction',
    Instruction: `${INSTRUCTION_BEGIN} ReqdExctnDt:date PoolgAdjstmntDt?:date Dbtr:Party DbtrAcct:Account DbtrAgt:Agent
      DbtrAgtAcct?:Account ${INSTRUCTION_END}`,
    Payment: `PmtId:Identifiers ${PAYMENT_BEGIN}`,
    Identifiers: 'InstrId?:max35 EndToEndId:max35',
    Kind: 'InstrPrty?:priority SvcLvl?:CodeOf4 LclInstrm?:CodeOf35 CtgyPurp?:CodeOf4',
    Bank: 'BIC?:bic ClrSysMmbId?:Clearing Nm?:max140 PstlAdr?:Address Othr?:Identification',
    Account: 'Id:AccountId Tp?:CodeOf4 Ccy?:currency Nm?:max70',
    Address: `AdrTp?:max4 Dept?:max70 SubDept?:max70 StrtNm?:max70 BldgNb?:max16 PstCd?:max16 TwnNm?:max35
      CtrySubDvsn?:max35 Ctry?:country AdrLine{0,7}:max70`,
    Structured: `RfrdDocInf*:any RfrdDocAmt?:any CdtrRefInf?:CreditorReference Invcr?:any Invcee?:any
      AddtlRmtInf{0,3}:max140`,
  },
  'pain.001.001.09': {
    ...BOTH,
    Initiation: 'GrpHdr:Header PmtInf+:Instruction SplmtryData*:any',
    Instruction: `${INSTRUCTION_BEGIN} ReqdExctnDt:Date PoolgAdjstmntDt?:date Dbtr:Party DbtrAcct:Account DbtrAgt:Agent
      DbtrAgtAcct?:Account InstrForDbtrAgt?:max140 ${INSTRUCTION_END}`,
    Date: '|Dt:date DtTm:time',
    Payment: `PmtId:Identifiers ${PAYMENT_BEGIN} SplmtryData*:any`,
    Identifiers: 'InstrId?:max35 EndToEndId:max35 UETR?:max36',
    Kind: 'InstrPrty?:priority SvcLvl*:CodeOf4 LclInstrm?:CodeOf35 CtgyPurp?:CodeOf4',
    Bank: 'BICFI?:bic ClrSysMmbId?:Clearing LEI?:lei Nm?:max140 PstlAdr?:Address Othr?:Identification',
    Account: 'Id:AccountId Tp?:CodeOf4 Ccy?:currency Nm?:max70 Prxy?:any',
    Address: `AdrTp?:any Dept?:max70 SubDept?:max70 StrtNm?:max70 BldgNb?:max16 BldgNm?:max35 Flr?:max70 PstBx?:max16
      Room?:max70 PstCd?:max16 TwnNm?:max35 TwnLctnNm?:max35 DstrctNm?:max35 CtrySubDvsn?:max35 Ctry?:country
      AdrLine{0,7}:max70`,
    Structured: `RfrdDocInf*:any RfrdDocAmt?:any CdtrRefInf?:CreditorReference Invcr?:any Invcee?:any TaxRmt?:any
      GrnshmtRmt?:any AddtlRmtInf{0,3}:max140`,
  },
};
