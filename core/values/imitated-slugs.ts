/**
 * Public addresses that would pass for an office, a bank, a carrier or for the product itself: no business takes one as a new address.
 * What a business has already is its own.
 */
export const imitatedSlugs: readonly string[] = `
  2degrees abf abr acc accc acma afp afterpay agl amazon amex amp anz apple aramex asb asic ato austrac bank banking banksa bnz boq
  bpay cba chorus council court customs dhl ebay eftpos energyaustralia etoll facebook fedex fines google gov government govt gst
  gumtree hsbc icare immigration ing insurance ird linkt macquarie mastercard medibank meta microsoft msd myid myir myki nab nbn ndis
  netflix nzta onenz optus origin osko paye payid police post rabobank racq racv realme refund revenue scamwatch spark stgeorge
  stripe suncorp superannuation tax taxoffice telstra toll trademe tsb ubank ups visa vodafone wise worksafe zip zippay
  uteaccount uteadmin uteapp utebilling utejobs utelogin utemail uteofficial utepay utesecurity uteteam
`
  .trim()
  .split(/\s+/);

/** The same for names that mean nothing else: they stand nowhere in a new address, so that `mygov-refund` is none either. */
export const imitatedAnywhere: readonly string[] = `
  auspost australiapost austpost bankwest bendigobank centrelink commbank commonwealthbank homeaffairs inlandrevenue kiwibank medicare
  mygov netbank nzpost paypal servicensw servicesaustralia taxrefund wakakotahi westpac
`
  .trim()
  .split(/\s+/);
