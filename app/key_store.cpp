// SPDX-License-Identifier: Apache-2.0
#include "app/key_store.h"

#ifdef PTXWB_HAVE_KEYCHAIN
#include <qt6keychain/keychain.h>
#endif

namespace ptxwb {

namespace {

Error noKeychain(std::string detail)
{
    return {.code = ErrorCode::Unavailable,
        .message = std::move(detail),
        .hint =
            "start a keychain service (GNOME Keyring, KWallet), or name an environment variable for the key"};
}

#ifdef PTXWB_HAVE_KEYCHAIN
QString service()
{
    return QStringLiteral("ptx-workbench");
}
#endif

} // namespace

bool KeyStore::hasKeychain()
{
#ifdef PTXWB_HAVE_KEYCHAIN
    return true;
#else
    return false;
#endif
}

void KeyStore::read(const llm::ProviderSettings& settings, std::function<void(Result<llm::Secret>)> done)
{
    if (settings.keychainEntry.empty()) {
        done(llm::keyFromEnvironment(settings));
        return;
    }
#ifdef PTXWB_HAVE_KEYCHAIN
    auto* job = new QKeychain::ReadPasswordJob(service(), this);
    job->setInsecureFallback(false);
    job->setKey(QString::fromStdString(settings.keychainEntry));
    connect(job, &QKeychain::Job::finished, this, [job, done = std::move(done)] {
        if (job->error() == QKeychain::EntryNotFound) {
            done(Error{.code = ErrorCode::NotFound,
                .message = "the system keychain holds no key for this provider",
                .hint = "type it in the provider dialog"});
        } else if (job->error() != QKeychain::NoError) {
            done(
                noKeychain("the system keychain does not give the key: " + job->errorString().toStdString()));
        } else {
            done(llm::checkedKey(job->textData().toStdString()));
        }
    });
    job->start();
#else
    done(noKeychain("this program was built without the system keychain"));
#endif
}

void KeyStore::write(const QString& entry, const QString& key, std::function<void(const QString&)> done)
{
#ifdef PTXWB_HAVE_KEYCHAIN
    QKeychain::Job* job = nullptr;
    if (key.isEmpty()) {
        job = new QKeychain::DeletePasswordJob(service(), this);
    } else {
        auto* writing = new QKeychain::WritePasswordJob(service(), this);
        writing->setTextData(key);
        job = writing;
    }
    job->setInsecureFallback(false);
    job->setKey(entry);
    connect(job, &QKeychain::Job::finished, this, [job, done = std::move(done)] {
        const bool good = job->error() == QKeychain::NoError || job->error() == QKeychain::EntryNotFound;
        done(good ? QString()
                  : tr("The system keychain does not take the key (%1). Is a keychain service running? An "
                       "environment variable will do "
                       "as well.")
                        .arg(job->errorString()));
    });
    job->start();
#else
    Q_UNUSED(entry)
    Q_UNUSED(key)
    done(tr("This program was built without the system keychain."));
#endif
}

} // namespace ptxwb
