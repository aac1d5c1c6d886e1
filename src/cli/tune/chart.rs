//! The chart of a fit: its losses by epoch.

use plotters::prelude::*;

use crate::training::corpus::Losses;

/// The losses by epoch.
pub(super) fn picture(losses: &[Losses]) -> Result<String, String> {
    let mut text = String::new();
    draw(&mut text, losses).map_err(|error| error.to_string())?;
    Ok(text)
}

fn draw(text: &mut String, losses: &[Losses]) -> Result<(), Box<dyn std::error::Error>> {
    let area = SVGBackend::with_string(text, (760, 420)).into_drawing_area();
    area.fill(&WHITE)?;
    let all = losses.iter().flat_map(|losses| [losses.training, losses.validation]);
    let (least, most) = all.fold((f64::MAX, f64::MIN), |(a, b), x| (a.min(x), b.max(x)));
    let room = (most - least).max(1e-6) * 0.05;
    let mut chart = ChartBuilder::on(&area)
        .margin(12)
        .x_label_area_size(36)
        .y_label_area_size(64)
        .build_cartesian_2d(0..losses.len() - 1, least - room..most + room)?;
    chart.configure_mesh().x_desc("epoch").y_desc("mean loss").draw()?;
    let lines = [
        ("training", RGBColor(0x4c, 0x8c, 0x6a), losses.iter().map(|l| l.training).collect()),
        ("validation", RGBColor(0x3d, 0x4a, 0x57), losses.iter().map(|l| l.validation).collect()),
    ];
    for (label, color, values) in lines {
        let values: Vec<f64> = values;
        let points = values.into_iter().enumerate();
        chart
            .draw_series(LineSeries::new(points, color.stroke_width(2)))?
            .label(label)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], color.stroke_width(2)));
    }
    chart.configure_series_labels().background_style(WHITE.mix(0.8)).draw()?;
    area.present()?;
    drop(chart);
    Ok(())
}
