// Over 250 lines: because it is one table of the layouts of many products, and tables may be long.
import type { UnpayableList } from '../../domain/problems/other-list-problems.ts';
import type { ColumnName } from './synonyms.ts';

/**
 * The header line of a product's export or upload template. Headers are divided by commas, written without brackets, and
 * `A/C (No|Number)` is either of two; their order in a file does not matter.
 */
export type Layout = {
  /** As the product calls it. */
  name: string;
  /** The public page or file that shows the headers; `GitHub:` before a text that finds such files in its code search. */
  source: string;
  /** A file that has all of these is of this layout. */
  tells: string;
  /** Its other headers: where a file fits several layouts, the one with more of its headers in the file counts. */
  others: string;
  /** What headers mean where our words for columns do not know it, or would take another header. */
  columns?: Readonly<Partial<Record<ColumnName, string>>>;
  /** Headers that are no column of ours, whatever their words: the sender's account, the bank's own codes. */
  ignored?: string;
  /** The currency of all its payments, where the file does not say it: proposed, never taken. */
  currency?: string;
  /** What amounts are, where they are not what the payee receives in whole units. */
  amounts?: 'in_minor_units' | 'in_source_currency';
  /** What the list is, where it has no accounts of payees. */
  unpayable?: UnpayableList;
};

const AIRWALLEX = 'Transfer to, Transfer method, Currency recipient gets, Currency you pay, Fee paid by, Account name';
const AIRWALLEX_MORE = `Bank identifier type, Bank identifier value, SWIFT code, Transfer purpose, Reference, Description, Recipient type,
  Country region, Street address, City, State Province, Postcode, Request ID`;
const AIRWALLEX_COLUMNS = {
  name: 'Account name',
  account_number: 'Account number',
  currency: 'Currency recipient gets',
  source_currency: 'Currency you pay',
  national_clearing_code: 'Bank identifier value',
  bic: 'SWIFT code',
  country: 'Country region',
} as const;

const RAZORPAYX_MORE = `Payout Currency, Payout Mode, Payout Purpose, Payout Narration, Payout Reference Id, Fund Account Id, Fund Account Type,
  Fund Account Name, Fund Account Vpa, Fund Account Phone Number, Fund Account Email, Contact Type, Contact Name, Contact Email, Contact Mobile,
  Contact Reference Id, notes code, notes place`;
const RAZORPAYX_COLUMNS = {
  name: 'Fund Account Name',
  account_number: 'Fund Account Number',
  national_clearing_code: 'Fund Account Ifsc',
  currency: 'Payout Currency',
  reference: 'Payout Narration',
  payee_id: 'Contact Reference Id',
} as const;
const RAZORPAYX_IGNORED =
  'RazorpayX Account Number, Payout Mode, Payout Purpose, Payout Reference Id, Fund Account Id, Fund Account Type, Fund Account Vpa, Contact Name, Contact Type';

export const LAYOUTS: readonly Layout[] = [
  {
    name: 'Wise batch payments',
    source: 'GitHub: "receiverType,amountCurrency,amount,sourceCurrency,targetCurrency,IBAN"',
    tells: 'amount, receiverType, amountCurrency, sourceCurrency, targetCurrency',
    others:
      'name, recipientEmail, paymentReference, referenceNumber, IBAN, accountNumber, bsbCode, sortCode, abartn, ifscCode, swiftCode',
    columns: { currency: 'targetCurrency', source_currency: 'sourceCurrency', reference: 'paymentReference' },
    ignored: 'referenceNumber',
  },
  {
    name: 'Wise saved recipients',
    source: 'GitHub: "recipientId,name,recipientEmail,recipientDetail,sourceCurrency,targetCurrency"',
    tells: 'recipientId, recipientDetail, amount, amountCurrency, sourceCurrency, targetCurrency',
    others: 'name, recipientEmail, paymentReference, referenceNumber, receiverType',
    columns: { currency: 'targetCurrency', source_currency: 'sourceCurrency', reference: 'paymentReference' },
    // Numbers of Wise, not of our service.
    ignored: 'recipientId, recipientDetail, referenceNumber',
  },
  {
    name: 'Airwallex batch transfers',
    source:
      'https://github.com/ivanvanderbyl/xero2airwallex (README.md); GitHub: "Transfer amount in currency recipient gets"',
    tells: `${AIRWALLEX}, Transfer amount in currency recipient gets`,
    others: `Account number, ${AIRWALLEX_MORE}`,
    columns: { ...AIRWALLEX_COLUMNS, amount: 'Transfer amount in currency recipient gets' },
    ignored: 'Transfer method, Fee paid by, Bank identifier type, Transfer purpose, Request ID',
  },
  {
    name: 'Airwallex batch transfers, amounts in the currency that is paid',
    source: 'https://github.com/ivanvanderbyl/xero2airwallex (internal/convert/convert_test.go)',
    tells: `${AIRWALLEX}, Transfer amount in currency you pay`,
    others: `Account number, ${AIRWALLEX_MORE}`,
    columns: { ...AIRWALLEX_COLUMNS, amount: 'Transfer amount in currency you pay' },
    ignored: 'Transfer method, Fee paid by, Bank identifier type, Transfer purpose, Request ID',
    amounts: 'in_source_currency',
  },
  {
    name: 'Airwallex batch transfers (Chinese), amounts in the currency that is paid',
    source: 'GitHub: "付款金额（以您支付的币种表示）"',
    tells: '付款至, 收款方收到的币种, 您支付的币种, 付款金额以您支付的币种表示, 帐户名, 银行帐号',
    others: `付款方式, SWIFT 费用选项, 费用由哪方支付, SWIFT 代码, 中间行 SWIFT 代码 选填, 付款原因, 交易附言, 描述 选填, 收款方类型, 国家 地区,
      街道地址, 城市, 洲 省, 邮政编码, 请求编号 Request ID 选填`,
    columns: {
      name: '帐户名',
      account_number: '银行帐号',
      amount: '付款金额以您支付的币种表示',
      currency: '收款方收到的币种',
      source_currency: '您支付的币种',
      bic: 'SWIFT 代码',
      reference: '交易附言',
      description: '描述 选填',
      country: '国家 地区',
      address_line1: '街道地址',
      city: '城市',
      state: '洲 省',
      postal_code: '邮政编码',
    },
    ignored:
      '付款至, 付款方式, SWIFT 费用选项, 费用由哪方支付, 中间行 SWIFT 代码 选填, 付款原因, 收款方类型, 请求编号 Request ID 选填',
    amounts: 'in_source_currency',
  },
  {
    name: 'Revolut Business bulk payments',
    source: 'https://developer.revolut.com/docs/guides/build-banking-apps/tutorials/work-with-draft-payments',
    tells: 'Name, Recipient type, Currency, Amount, Payment reference',
    others: `Account number, Sort code, Sort code or Routing number, Sort code BSB, IBAN, BIC, Recipient bank country, Recipient country, State or province,
      Address line 1, Address line 2, City, Postal code`,
    columns: {
      national_clearing_code: 'Sort code, Sort code or Routing number, Sort code BSB',
      country: 'Recipient country',
    },
    ignored: 'Recipient bank country',
  },
  {
    name: 'PayPal payouts',
    source: 'GitHub: "Email/Phone,Amount,Currency code,Reference ID (optional),Note to recipient,Recipient wallet"',
    tells: 'Email/Phone, Amount, Currency code, Note to recipient, Recipient wallet',
    others: 'Reference ID, Social Feed Privacy, Holler URL deprecated, Logo URL, Purpose',
    ignored: 'Recipient wallet, Social Feed Privacy, Holler URL deprecated, Logo URL, Purpose',
  },
  {
    name: 'RazorpayX bulk payouts',
    source:
      'https://razorpay.com/docs/x/bulk-payouts.md; GitHub: "RazorpayX Account Number,Payout Amount (in Rupees),Payout Currency"',
    tells: 'RazorpayX Account Number, Payout Amount in Rupees, Fund Account Ifsc, Fund Account Number',
    others: RAZORPAYX_MORE,
    columns: { ...RAZORPAYX_COLUMNS, amount: 'Payout Amount in Rupees' },
    ignored: RAZORPAYX_IGNORED,
    currency: 'INR',
  },
  {
    // Who writes this older template multiplies rupees by 100.
    name: 'RazorpayX bulk payouts, amounts in paise',
    source: 'GitHub: "RazorpayX Account Number" "Payout Amount" "netAmount * 100"',
    tells: 'RazorpayX Account Number, Payout Amount, Fund Account Ifsc, Fund Account Number',
    others: RAZORPAYX_MORE,
    columns: { ...RAZORPAYX_COLUMNS, amount: 'Payout Amount' },
    ignored: RAZORPAYX_IGNORED,
    currency: 'INR',
    amounts: 'in_minor_units',
  },
  {
    name: 'Stripe payouts export',
    source: 'GitHub: "Arrival Date (UTC)" "Destination Last 4"',
    tells: 'id, Amount, Currency, Arrival Date UTC, Source Type, Destination, Status, Balance Transaction',
    others: `Created UTC, Livemode, Type, Method, Description, Failure Balance Transaction, Failure Message, Failure Code, Statement Descriptor, Trace ID,
      Trace ID Status, Destination Name, Destination Country, Destination Last 4`,
    // The bank of the one who exports, and no payee's name.
    ignored: 'id, Destination, Destination Name, Destination Country, Destination Last 4',
    unpayable: 'stripe_payouts',
  },
  {
    name: 'Stripe payments export',
    source: 'GitHub: "Created date (UTC)" "Amount Refunded" "Converted Amount Refunded"',
    tells: 'id, Created date UTC, Amount, Amount Refunded, Currency, Captured, Converted Amount, Fee',
    others: `Converted Amount Refunded, Converted Currency, Decline Reason, Description, Is Link, Link Funding, Mode, PaymentIntent ID, Payment Source Type,
      Refunded date UTC`,
    unpayable: 'stripe_payments',
  },
  {
    name: 'Payoneer payment requests',
    source: 'GitHub: "PayoneerPaymentBatch" "Payment Due By"',
    tells: 'Company Name, Company URL, First Name, Last Name, Email, Amount, Currency, Payment Due By',
    others: 'Description',
    unpayable: 'payoneer_requests',
  },
  {
    name: 'HDFC Bank ENet bulk payments',
    source:
      'https://github.com/ns-mwang/netsweet-efts (Jumio/rbi-eft.ftl); GitHub: "Instrument Amount" "Drawee Location" "Print Location"',
    tells:
      'Transaction Type, Beneficiary Code, Beneficiary Account (No|Number), Instrument Amount, Beneficiary Name, Drawee Location, Print Location',
    others: `Bene Address 1, Bene Address 2, Bene Address 3, Bene Address 4, Bene Address 5, Instruction Reference (No|Number), Customer Reference (No|Number),
      Payment details 1, Payment details 2, Payment details 3, Payment details 4, Payment details 5, Payment details 6, Payment details 7, Cheque Number,
      Chq Trn Date, Payment Date, MICR Number, (IFC|IFSC) Code, Bene Bank Name, Bene Bank Branch Name, Beneficiary (Email|Email Id), Debit Account No`,
    columns: {
      name: 'Beneficiary Name',
      account_number: 'Beneficiary Account (No|Number)',
      amount: 'Instrument Amount',
      national_clearing_code: '(IFC|IFSC) Code',
      email: 'Beneficiary (Email|Email Id)',
      address_line1: 'Bene Address 1',
      address_line2: 'Bene Address 2',
    },
    // The code of a beneficiary is the number of the line in many files: it identifies nobody.
    ignored: `Transaction Type, Beneficiary Code, Drawee Location, Print Location, Instruction Reference (No|Number), Cheque Number, Chq Trn Date, MICR Number,
      Bene Bank Name, Bene Bank Branch Name, Debit Account No`,
    currency: 'INR',
  },
  {
    name: 'ICICI Bank CIB payments',
    source: 'GitHub: "Debit Ac No" "Beneficiary Ac No" "Pay Mod" "Payable Location"',
    tells:
      '(Debit Ac No|Debit A/c Number), (Beneficiary Ac No|Beneficiary A/c Number), Beneficiary Name, (Amt|Amount), (IFSC|IFSC Code), Print Location',
    others: `(Pay Mod|Pay Mode), Date, Date DD MON YYYY, Payment Date, (Payable Location|Payable Location name), (Bene Mobile No|Beneficiary Mobile No),
      (Bene Email ID|Beneficiary email id), (Bene add1|Ben add1), (Bene add2|Ben add2), (Bene add3|Ben add3), (Bene add4|Ben add4), (Add Details 1|Add Detail 1),
      (Add Details 2|Add Detail 2), (Add Details 3|Add Detail 3), (Add Details 4|Add Detail 4), (Add Details 5|Add Detail 5), Remarks`,
    columns: {
      name: 'Beneficiary Name',
      account_number: 'Beneficiary Ac No, Beneficiary A/c Number',
      amount: 'Amt, Amount',
      national_clearing_code: 'IFSC, IFSC Code',
      email: 'Bene Email ID, Beneficiary email id',
    },
    ignored:
      'Debit Ac No, Debit A/c Number, Pay Mod, Pay Mode, Payable Location, Payable Location name, Print Location',
    currency: 'INR',
  },
  {
    name: 'ICICI Bank CIB payments by product code',
    source: 'GitHub: "PYMT_PROD_TYPE_CODE" "BENE_ACC_NO" "CREDIT_NARR"',
    tells:
      'PYMT_PROD_TYPE_CODE, PYMT_MODE, DEBIT_ACC_NO, (BNF_NAME|BNFCY_NAME), (BENE_ACC_NO|BNFCY_ACC_NO), (BENE_IFSC|BNFCY_IFSC), AMOUNT',
    others: `(DEBIT_NARR|DR_NARRATION), (CREDIT_NARR|CR_NARRATION), (MOBILE_NUM|BENE_MOBILE_NO), (EMAIL_ID|BENE_EMAIL_ID), (REMARK|REMARKS),
      (PYMT_DATE|PAYMENT_DATE|TXN_DATE), TXN_PAYABLE_AT, (REF_NO|PAYMT_REF_NO), INSTRUMENT_REF_NO, ADDL_INFO1, ADDL_INFO2, ADDL_INFO3, ADDL_INFO4, ADDL_INFO5`,
    columns: {
      name: 'BNF_NAME, BNFCY_NAME',
      account_number: 'BENE_ACC_NO, BNFCY_ACC_NO',
      national_clearing_code: 'BENE_IFSC, BNFCY_IFSC',
      amount: 'AMOUNT',
      reference: 'CREDIT_NARR, CR_NARRATION',
      email: 'EMAIL_ID, BENE_EMAIL_ID',
    },
    ignored:
      'PYMT_PROD_TYPE_CODE, PYMT_MODE, DEBIT_ACC_NO, DEBIT_NARR, DR_NARRATION, REF_NO, PAYMT_REF_NO, INSTRUMENT_REF_NO',
    currency: 'INR',
  },
  {
    name: 'ICICI Bank CIB salaries',
    source:
      'GitHub: "Sr No,Beneficiary Name,Beneficiary Account No,IFSC Code,Amount,Debit Account No,Transaction Type,Value Date,Remarks"',
    tells: 'Sr No, Beneficiary Name, Beneficiary Account No, IFSC Code, Amount, Debit Account No, Transaction Type',
    others: 'Value Date, Remarks',
    ignored: 'Sr No, Debit Account No, Transaction Type',
    currency: 'INR',
  },
  {
    name: 'ICICI Bank CIB transfers',
    source:
      'GitHub: "Debit Account No,Beneficiary Name,Beneficiary Account No,IFSC Code,Amount,Currency,Value Date,Payment Mode"',
    tells:
      'Debit Account No, Beneficiary Name, Beneficiary Account No, IFSC Code, Amount, Currency, Value Date, Payment Mode',
    others: '',
    ignored: 'Debit Account No, Payment Mode',
  },
  {
    name: 'Kotak Mahindra Bank CMS payments',
    source: 'GitHub: "Client_Code" "Dr_Ac_No" "Bank_Code_Indicator" "Beneficiary_Acc_No"',
    tells:
      'Client_Code, Product_Code, Payment_Type, Dr_Ac_No, Amount, Beneficiary_Name, Beneficiary_Acc_No, (Beneficiary_Branch IFSC Code|IFSC Code)',
    others: `(Payment_Ref_No|Payment Ref No), Payment_Date, Instrument Date, Bank_Code_Indicator, Beneficiary_Code, Beneficiary_Bank, Location, Print_Location,
      Instrument_Number, (Ben_Add1|Beneficiary_Address_1), (Ben_Add2|Beneficiary_Address_2), (Ben_Add3|Beneficiary_Address_3), (Ben_Add4|Beneficiary_Address_4),
      Beneficiary_Email, Beneficiary_Mobile, Debit_Narration, Credit_Narration, Payment Details 1, Payment Details 2, Payment Details 3, Payment Details 4`,
    columns: {
      name: 'Beneficiary_Name',
      account_number: 'Beneficiary_Acc_No',
      national_clearing_code: 'Beneficiary_Branch IFSC Code, IFSC Code',
      amount: 'Amount',
      reference: 'Credit_Narration',
      email: 'Beneficiary_Email',
      address_line1: 'Ben_Add1, Beneficiary_Address_1',
      address_line2: 'Ben_Add2, Beneficiary_Address_2',
    },
    ignored: `Client_Code, Product_Code, Payment_Type, Dr_Ac_No, Bank_Code_Indicator, Beneficiary_Code, Beneficiary_Bank, Location, Print_Location,
      Payment_Ref_No, Payment Ref No, Instrument_Number, Debit_Narration`,
    currency: 'INR',
  },
  {
    name: 'Kotak Mahindra Bank salaries',
    source:
      'GitHub: "Client Code,Product Code,Payment Type,Beneficiary Name,Beneficiary Account Number,IFSC Code,Amount,Debit Account Number,Value Date,Narration"',
    tells:
      'Client Code, Product Code, Payment Type, Beneficiary Name, Beneficiary Account Number, IFSC Code, Amount, Debit Account Number',
    others: 'Value Date, Narration',
    ignored: 'Client Code, Product Code, Payment Type, Debit Account Number',
    currency: 'INR',
  },
  {
    name: 'SBI CMP payments',
    source:
      'GitHub: "Debit Account Number,Amount,Beneficiary Name,Beneficiary Account Number,IFSC Code,Remarks,Customer Reference Number"',
    tells:
      'Debit Account Number, Amount, Beneficiary Name, Beneficiary Account Number, IFSC Code, Customer Reference Number',
    others: 'Remarks',
    ignored: 'Debit Account Number, Customer Reference Number',
    currency: 'INR',
  },
  {
    name: 'SBI Saral payments',
    source:
      'GitHub: "Debit Account No,Beneficiary Name,Beneficiary Account No,IFSC Code,Amount,Payment Type,Narration / Remarks"',
    tells:
      'Debit Account No, Beneficiary Name, Beneficiary Account No, IFSC Code, Amount, Payment Type, Narration Remarks',
    others: 'Beneficiary Mobile, Beneficiary Email, Value Date',
    ignored: 'Debit Account No, Payment Type',
    currency: 'INR',
  },
  {
    name: 'Axis Bank salaries',
    source: 'GitHub: "PaymentType" "BeneficiaryAccountNo" "DebitAccountNo" "ValueDate"',
    tells:
      'PaymentType, BeneficiaryName, BeneficiaryAccountNo, IFSC, Amount, DebitAccountNo, ValueDate, Email, Narration',
    others: '',
    ignored: 'PaymentType, DebitAccountNo',
    currency: 'INR',
  },
  {
    name: 'Federal Bank FedCorp payments',
    source: 'GitHub: "Source Acc No,Ben Acc No,Ben Name,Amount,IFSC,Pmt Details"',
    tells: 'Source Acc No, Ben Acc No, Ben Name, Amount, IFSC',
    others: 'Pmt Details',
    columns: {
      name: 'Ben Name',
      account_number: 'Ben Acc No',
      amount: 'Amount',
      national_clearing_code: 'IFSC',
      reference: 'Pmt Details',
    },
    ignored: 'Source Acc No',
    currency: 'INR',
  },
  {
    name: 'UOB GIRO and FAST payments',
    source: 'GitHub: "Receiving BIC Code" "Receiving Bank A/C No." "DDA Reference"',
    tells: 'Payment Instruction, Receiving BIC Code, Receiving Bank A/C No, Receiving A/C Name, Amount, DDA Reference',
    others: `Record No, Beneficiary Reference, Purpose Code, Remittance Information, Ultimate Payer Beneficiary Name, Customer Reference,
      Beneficiary Advice Indicator, Beneficiary City, Beneficiary Country Code, Beneficiary Postal Code, Beneficiary Name Line 1, Beneficiary Name Line 2,
      Beneficiary Name Line 3, Beneficiary Name Line 4, Beneficiary Address Line 1, Beneficiary Address Line 2, Beneficiary Address Line 3,
      Beneficiary Address Line 4, Email Address of Beneficiary, Facsimile Address of Beneficiary, Payers Name Line 1, Payers Name Line 2`,
    columns: {
      name: 'Receiving A/C Name',
      account_number: 'Receiving Bank A/C No',
      bic: 'Receiving BIC Code',
      reference: 'Beneficiary Reference',
      email: 'Email Address of Beneficiary',
    },
    ignored:
      'Record No, Payment Instruction, DDA Reference, Remittance Information, Ultimate Payer Beneficiary Name, Customer Reference, Payers Name Line 1, Payers Name Line 2',
    currency: 'SGD',
  },
  {
    name: 'Axis Bank corporate payments',
    source: 'GitHub: "CUSTOM_DETAILS1" "Message Type" "Beneficiary Bank Swift Code / IFSC Code"',
    tells:
      'Message Type, Debit Account No, Beneficiary Name, Payment Amount, Beneficiary Bank Swift Code IFSC Code, Beneficiary Account No, Transaction Type Code',
    others:
      'Value Date, CUSTOM_DETAILS1, CUSTOM_DETAILS2, CUSTOM_DETAILS3, CUSTOM_DETAILS4, CUSTOM_DETAILS5, CUSTOM_DETAILS6',
    columns: { national_clearing_code: 'Beneficiary Bank Swift Code IFSC Code' },
    ignored: 'Message Type, Debit Account No, Transaction Type Code',
    currency: 'INR',
  },
  {
    name: 'Paystack bulk transfers',
    source: 'GitHub: "Transfer Amount,Transfer Note (Optional),Transfer Reference (Optional),Recipient Code"',
    tells: `Transfer Amount, Transfer Note, Transfer Reference, Recipient Code This overrides all other details if available, Bank Code or Slug, Account Number,
      Account Name`,
    others: 'Email',
    // A row with the code of a recipient is paid by that, whatever account stands beside it.
    ignored: 'Recipient Code This overrides all other details if available',
    currency: 'NGN',
  },
  {
    name: 'BBVA nómina (Mexico)',
    source: 'GitHub: "NO EMPLEADO,NOMBRE,CLABE,BANCO,IMPORTE"',
    tells: 'NO EMPLEADO, NOMBRE, CLABE, BANCO, IMPORTE',
    others: '',
    ignored: 'BANCO',
    currency: 'MXN',
  },
  {
    name: 'Mashreq Bank salaries (UAE)',
    source: 'https://www.mashreq.com/ar/uae/business/important-guidelines/iban-service',
    tells: 'Sl No, Beneficiary Account Number, Beneficiary Name, Amount, Bank Code, Employee No',
    others: 'Special Instructions for Beneficiary Bank',
    ignored: 'Sl No',
    currency: 'AED',
  },
  {
    name: 'DATEV Lohn, Bruttoliste',
    source: 'GitHub: "Personalnummer;Nachname;Vorname;Lohnart"',
    tells: 'Personalnummer, Nachname, Vorname, Lohnart, Betrag',
    others: 'Stunden, Tage, Kostenstelle, Monat, Bemerkung',
  },
  {
    name: 'Sage 50 transactions',
    source:
      'https://github.com/compucorp/io.compuco.financeexportformats (CRM/Financial/BAO/ExportFormat/DataProvider/Sage50CSVProvider.php)',
    tells: 'Type, Account Reference, Nominal A/C Ref, Date, Details, Net Amount, Tax Code',
    others:
      'Department Code, Reference, Tax Amount, Exchange Rate, Extra Reference, User Name, Project Refn, Cost Code Refn',
    ignored: 'Account Reference, Nominal A/C Ref',
    unpayable: 'sage_transactions',
  },
  {
    name: 'Xero bills',
    source: 'GitHub: "*ContactName,EmailAddress,POAddressLine1"',
    tells:
      'ContactName, EmailAddress, InvoiceNumber, InvoiceDate, DueDate, Description, Quantity, UnitAmount, AccountCode',
    others: `POAddressLine1, POAddressLine2, POAddressLine3, POAddressLine4, POCity, PORegion, POPostalCode, POCountry, Reference, Total, InventoryItemCode, Discount,
      TaxType, TaxAmount, TrackingName1, TrackingOption1, TrackingName2, TrackingOption2, Currency, BrandingTheme`,
    ignored: 'AccountCode, UnitAmount',
    unpayable: 'xero_bills',
  },
  {
    name: 'QuickBooks Online bills',
    source: 'GitHub: "*BillNo" "*Supplier" "*BillDate"',
    tells:
      '(BillNo|Bill No), (Supplier|Vendor), (BillDate|Bill Date), (DueDate|Due Date), Terms, Memo, (ItemAmount|Item Amount|LineAmount|Line Amount)',
    others:
      'Location, Item Product Service, ItemDescription, ItemQuantity, ItemRate, Service Date, Account, Line Description',
    // The account of the ledger.
    ignored: 'Account',
    unpayable: 'quickbooks_bills',
  },
  {
    name: 'Gusto payroll journal',
    source: 'GitHub: "Gusto Payroll Journal Report" "Gross Earnings" "Federal Income Tax (Employee)"',
    tells: 'Last Name, First Name, Gross Earnings, Net Pay, Social Security Employee, Medicare Employee',
    others: 'Federal Income Tax Employee, Additional Medicare Employee, Social Security Employer, Medicare Employer',
    unpayable: 'gusto_journal',
  },
  {
    name: 'Gusto payroll upload',
    source: 'https://support.gusto.com/article/999914471000000/Run-payroll-with-CSV-upload',
    tells: 'last_name, first_name, gusto_employee_id, regular_hours',
    others: `title, overtime_hours, double_overtime_hours, missed_break_hours, owners_draw, bonus, commission, paycheck_tips, cash_tips, correction_payment,
      reimbursement, personal_note, pto_hours, sick_hours`,
    unpayable: 'gusto_upload',
  },
];
