//! A folder that comes into being whole or not at all: it is filled under another name beside its place, and gets its
//! own when it is complete.

use std::fs::File;
use std::path::{Path, PathBuf};

use super::folder::{EXPERIMENT, FolderError, LOCK};

/// Folder that is being filled. Unless it is kept, nothing of it stays.
#[derive(Debug)]
pub struct NewFolder {
    place: PathBuf,
    unfinished: PathBuf,
    /// Folders above it that were not there before, the outermost first.
    above: Vec<PathBuf>,
}

impl NewFolder {
    /// Folder that is to be at this place, where there may be an empty one.
    ///
    /// # Errors
    /// If there is something at the place, or another process is filling a folder for it.
    pub fn at(place: &Path) -> Result<Self, FolderError> {
        if place.join(EXPERIMENT).exists() {
            return Err(FolderError::Taken(place.to_owned()));
        }
        let is_empty = |folder: &Path| std::fs::read_dir(folder).map(|mut entries| entries.next().is_none());
        if place.exists() && !is_empty(place).map_err(FolderError::io(place))? {
            return Err(FolderError::damaged(place, "the folder is not empty: choose another with --out"));
        }
        let name = place.file_name().unwrap_or_default().to_string_lossy();
        let unfinished = place.with_file_name(format!(".{name}.unfinished"));
        if unfinished.exists() {
            // Of a process that was killed, unless the process is still there.
            let is_held = File::open(unfinished.join(LOCK)).is_ok_and(|lock| lock.try_lock().is_err());
            if is_held {
                return Err(FolderError::InUse(place.to_owned()));
            }
            std::fs::remove_dir_all(&unfinished).map_err(FolderError::io(&unfinished))?;
        }
        let ancestors = place.ancestors().skip(1).filter(|folder| !folder.as_os_str().is_empty() && !folder.exists());
        let mut above: Vec<PathBuf> = ancestors.map(Path::to_owned).collect();
        above.reverse();
        let new = Self { place: place.to_owned(), unfinished, above };
        std::fs::create_dir_all(&new.unfinished).map_err(FolderError::io(&new.unfinished))?;
        Ok(new)
    }

    /// Path under which it is filled.
    pub fn path(&self) -> &Path {
        &self.unfinished
    }

    /// Gives it its place.
    pub fn keep(mut self) -> Result<(), FolderError> {
        // An empty folder is replaced; where the system refuses that, it goes first.
        let _ = std::fs::remove_dir(&self.place);
        std::fs::rename(&self.unfinished, &self.place).map_err(FolderError::io(&self.place))?;
        self.above.clear();
        Ok(())
    }
}

impl Drop for NewFolder {
    fn drop(&mut self) {
        // There is nobody to tell. A folder that was kept is no longer there under this name.
        let _ = std::fs::remove_dir_all(&self.unfinished);
        for folder in self.above.iter().rev() {
            let _ = std::fs::remove_dir(folder);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_there_whole_or_not_at_all() {
        let room = std::env::temp_dir().join(format!("splitpoint-new-folder-{}", std::process::id()));
        let place = room.join("deep/whole");
        let fill = |folder: &NewFolder| std::fs::write(folder.path().join(EXPERIMENT), "{}").unwrap();
        fill(&NewFolder::at(&place).unwrap());
        assert!(!room.exists(), "nothing stays");

        std::fs::create_dir_all(&place).unwrap();
        // What a killed process left.
        std::fs::create_dir_all(place.with_file_name(".whole.unfinished/charts")).unwrap();
        let folder = NewFolder::at(&place).unwrap();
        fill(&folder);
        folder.keep().unwrap();
        let names = |path: &Path| -> Vec<String> {
            let entries = std::fs::read_dir(path).unwrap();
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
        };
        assert_eq!((names(&place), names(&room.join("deep"))), (vec![EXPERIMENT.to_owned()], vec!["whole".to_owned()]));

        assert!(matches!(NewFolder::at(&place), Err(FolderError::Taken(path)) if path == place));
        std::fs::rename(place.join(EXPERIMENT), place.join("mine")).unwrap();
        assert!(NewFolder::at(&place).unwrap_err().to_string().contains("the folder is not empty"));
        let lock = place.with_file_name(".whole.unfinished");
        std::fs::create_dir_all(&lock).unwrap();
        let held = File::create(lock.join(LOCK)).unwrap();
        held.try_lock().unwrap();
        std::fs::remove_file(place.join("mine")).unwrap();
        assert!(matches!(NewFolder::at(&place), Err(FolderError::InUse(_))));
        drop(held);
        std::fs::remove_dir_all(&room).unwrap();
    }
}
