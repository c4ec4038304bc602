// Marks the root of the oracle's sources. A version of kro has its requirements in a folder of its own, used with `-modfile`.
module kro-ls/oracle
