/*! The program. */

/** Starts
 * it all.
 */
#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    run()?;
    Ok(())
}

// Runs it.
fn run() -> anyhow::Result<()> {
    Ok(())
}
