//! Bots that play from copies of their files: bots with a `setup`, which is run in the copy, and bots whose files
//! another machine sent.

use std::borrow::Cow;

use super::error::SessionError;
use super::event::{Observers, Preparation};
use super::prepare::{Platform, Stage};
use crate::bots::check_needs;
use crate::content::BotContent;
use crate::content::cache::ContentCache;
use crate::content::files::{self, TravellingBot};
use crate::content::setup::{SetupError, place};
use crate::directory::Plan;
use crate::file::{Bot, Tournament};
use crate::host::{Folders, Host, LeaguePaths};

/// Returns the plan in which bots with a `setup` have prepared copies as folders; the same plan if no bot has one.
pub(super) fn set_up<'p>(
    plan: &'p Plan,
    platform: &Platform,
    observers: &mut Observers<'_>,
) -> Result<Cow<'p, Plan>, SessionError> {
    let bots = plan.tournament.bots.iter().enumerate();
    let bots: Vec<usize> = bots.filter(|(_, bot)| bot.setup.is_some()).map(|(index, _)| index).collect();
    if bots.is_empty() {
        return Ok(Cow::Borrowed(plan));
    }
    let cache = ContentCache::at(&platform.cache);
    let mut prepared = plan.clone();
    let mut stage = None;
    let host = plain_host(plan, platform);
    let files = files::of_bots(&bots, (&plan.tournament, &plan.source), &plan.folder, &host)?;
    for (bot, files) in bots.into_iter().zip(files) {
        let planned = &plan.tournament.bots[bot];
        let Some(setup) = &planned.setup else { continue };
        let failed = |error| SessionError::Setup { bot: planned.name.clone(), error };
        let (content, archive) =
            files.packed().map_err(|error| SessionError::Pack { bot: planned.name.clone(), error })?;
        let mut host = host.clone();
        if cache.ready(content.digest.after(setup)).is_none() {
            // The command would fail without these programs.
            check_needs(planned, platform.surroundings())
                .map_err(|error| SessionError::Needs { bot: planned.name.clone(), error })?;
            let kept = cache.keep_content(content.digest, &archive);
            kept.map_err(|error| failed(SetupError::Cache(error)))?;
            observers.prepare(Preparation::SetsUp { bot: &planned.name, setup });
            if stage.is_none() {
                stage = Some(Stage::new(plan.tournament.sandbox, plan.paths(None), platform)?);
            }
            host = stage.as_ref().map_or(host, |stage| stage.host.clone());
        }
        let bot = &mut prepared.tournament.bots[bot];
        place(bot, &content, &cache, (&plan.tournament, &host)).map_err(failed)?;
    }
    Ok(Cow::Owned(prepared))
}

/// Packs the files of bots that play on other machines. Returns the plan for these bots, which are not set up here.
pub(super) fn to_travel(
    plan: &Plan,
    platform: &Platform,
) -> Result<(Plan, Vec<TravellingBot>), SessionError> {
    let bots: Vec<usize> = (0..plan.tournament.bots.len()).collect();
    let files =
        files::of_bots(&bots, (&plan.tournament, &plan.source), &plan.folder, &plain_host(plan, platform))?;
    let (mut sent, mut travelling) = (plan.clone(), Vec::new());
    for (bot, files) in sent.tournament.bots.iter_mut().zip(files) {
        let packed = files.packed();
        let (content, _) = packed.map_err(|error| SessionError::Pack { bot: bot.name.clone(), error })?;
        bot.made_of = bot.setup.as_ref().map(|setup| format!("sha256:{}", content.digest.after(setup)));
        travelling.push(TravellingBot { name: bot.name.clone(), files, content });
    }
    Ok((sent, travelling))
}

/// Makes a bot play from its content, which is in the cache if it could be fetched.
///
/// # Errors
/// The reason why the bot can't play from it, in words.
pub(super) fn place_from_elsewhere(
    bot: &mut Bot,
    content: &BotContent,
    (plan, platform): (&Plan, &Platform),
    tournament: &Tournament,
) -> Result<(), String> {
    let cache = ContentCache::at(&platform.cache);
    let is_ready = bot.setup.as_ref().is_none_or(|setup| cache.ready(content.digest.after(setup)).is_some());
    let host = if is_ready {
        plain_host(plan, platform)
    } else {
        check_needs(bot, platform.surroundings()).map_err(|error| error.to_string())?;
        let paths = LeaguePaths { folders: Folders::OfBots, ..plan.paths(None) };
        let stage = Stage::new(tournament.sandbox, paths, platform);
        stage.map_err(|error| error.to_string())?.host
    };
    place(bot, content, &cache, (tournament, &host)).map_err(|error| error.to_string())
}

/// Returns the host without a sandbox, which suffices to determine the files that a bot needs.
fn plain_host(plan: &Plan, platform: &Platform) -> Host {
    let Platform { binary, environment, now, .. } = platform.clone();
    Host { binary, environment, layers: None, paths: plan.paths(None), now }
}
