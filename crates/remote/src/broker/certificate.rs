//! A certificate authority for clubs that have none. It signs the broker's certificate, by which the leader and the
//! workers verify that they are connected to the right broker.

use rcgen::{
    BasicConstraints, CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer,
    KeyPair, KeyUsagePurpose, date_time_ymd,
};

/// Number of years for which an authority and its certificates are valid.
const YEARS: i32 = 20;

#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct Month {
    pub year: i32,
    /// The month, from 1.
    pub month: u8,
}

/// The reason why a certificate can't be created.
#[derive(Debug, thiserror::Error)]
pub enum CertificateError {
    /// The key of the authority can't be read.
    #[error("this is not the key of a certificate authority: {0}")]
    Key(rcgen::Error),
    /// This name is not allowed in a certificate.
    #[error("`{0}` can't be put into a certificate: it is neither the name nor the address of a machine")]
    Name(String),
    /// The certificate can't be created.
    #[error("can't make a certificate: {0}")]
    Create(rcgen::Error),
}

/// A certificate and its key, as PEM.
#[derive(Clone, Eq, PartialEq)]
pub struct Certified {
    pub certificate: String,
    pub key: String,
}

fn params(name: &str, names: &[String], today: Month) -> Result<CertificateParams, CertificateError> {
    let mut params = CertificateParams::new(Vec::new()).map_err(CertificateError::Create)?;
    for name in names {
        let parsed = CertificateParams::new(vec![name.clone()]);
        let invalid = || CertificateError::Name(name.clone());
        if !is_host(name) {
            return Err(invalid());
        }
        params.subject_alt_names.extend(parsed.map_err(|_| invalid())?.subject_alt_names);
    }
    let mut distinguished = DistinguishedName::new();
    distinguished.push(DnType::CommonName, name);
    params.distinguished_name = distinguished;
    // The clocks of other machines may be slow.
    params.not_before = date_time_ymd(today.year - 1, today.month, 1);
    params.not_after = date_time_ymd(today.year + YEARS, today.month, 1);
    Ok(params)
}

fn is_host(name: &str) -> bool {
    let is_name = |name: &str| {
        !name.is_empty()
            && name.len() <= 253
            && name.split('.').all(|label| {
                !label.is_empty()
                    && label.chars().all(|symbol| symbol.is_ascii_alphanumeric() || symbol == '-')
            })
    };
    name.parse::<std::net::IpAddr>().is_ok() || is_name(name)
}

/// Returns the parameters of the authority's certificate, which do not depend on the key.
fn authority(today: Month) -> Result<CertificateParams, CertificateError> {
    let mut params = params("linesman broker", &[], today)?;
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    Ok(params)
}

/// Creates an authority.
///
/// # Errors
/// A system without random numbers for a key.
pub fn new_authority(today: Month) -> Result<Certified, CertificateError> {
    let key = KeyPair::generate().map_err(CertificateError::Create)?;
    let certificate = authority(today)?.self_signed(&key).map_err(CertificateError::Create)?;
    Ok(Certified { certificate: certificate.pem(), key: key.serialize_pem() })
}

/// Creates a certificate for a broker with these names and addresses, signed with the key of the authority.
///
/// # Errors
/// A text that is not a key, or a name that is not allowed in a certificate.
pub fn for_broker(
    names: &[String],
    authority_key: &str,
    today: Month,
) -> Result<Certified, CertificateError> {
    let issuer_key = KeyPair::from_pem(authority_key).map_err(CertificateError::Key)?;
    // The issuer needs only the name and the key of the authority's certificate; the dates may differ.
    let issuer = Issuer::new(authority(today)?, issuer_key);
    let key = KeyPair::generate().map_err(CertificateError::Create)?;
    let mut params = params(names.first().map_or("broker", String::as_str), names, today)?;
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    params.use_authority_key_identifier_extension = true;
    let certificate = params.signed_by(&key, &issuer).map_err(CertificateError::Create)?;
    Ok(Certified { certificate: certificate.pem(), key: key.serialize_pem() })
}
