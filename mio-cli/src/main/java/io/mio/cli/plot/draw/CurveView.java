package io.mio.cli.plot.draw;

import io.mio.cli.plot.draw.Ticks.Tick;
import java.util.ArrayList;
import java.util.List;

/** A panel of figures over time. */
final class CurveView implements View {
    /** Units of the figures. */
    enum Unit {
        BYTES,
        BYTES_PER_SECOND,
        COUNT
    }

    private final String heading;
    private final Unit unit;
    private final boolean steps;
    private final double span;
    private final List<Curve> curves;
    private final double highest;

    /**
     * Makes a panel.
     *
     * @param steps whether a figure holds for all of its bin; else it is reached at the bin's end
     */
    CurveView(String heading, Unit unit, boolean steps, double span, List<Curve> curves) {
        this.heading = heading;
        this.unit = unit;
        this.steps = steps;
        this.span = span;
        this.curves = curves.stream().filter(curve -> curve.highest() > 0).toList();
        double most = curves.stream().mapToDouble(Curve::highest).max().orElse(0);
        // For less than one request the axis would have nothing but a zero.
        this.highest = (unit == Unit.COUNT ? Math.max(1, most) : most) * 1.04;
    }

    boolean isEmpty() {
        return curves.isEmpty();
    }

    @Override
    public String heading() {
        return heading;
    }

    @Override
    public int usualHeight() {
        return 90;
    }

    @Override
    public List<Legend> legend() {
        List<Legend> legend = new ArrayList<>();
        for (Curve curve : curves) {
            if (!legend.contains(curve.legend())) {
                legend.add(curve.legend());
            }
        }
        return legend;
    }

    @Override
    public boolean isOverTime() {
        return true;
    }

    @Override
    public List<Tick> ticksAcross(double width) {
        return List.of();
    }

    @Override
    public List<Tick> ticksUp(double height) {
        int count = (int) Math.max(2, height / 20);
        return switch (unit) {
            case BYTES -> Ticks.bytes(0, highest, count, "");
            case BYTES_PER_SECOND -> Ticks.bytes(0, highest, count, "/s");
            case COUNT -> Ticks.counts(0, highest, count);
        };
    }

    @Override
    public double across(Box plot, double value) {
        return Axis.linear(0, span, plot.x(), plot.right()).at(value);
    }

    @Override
    public double up(Box plot, double value) {
        return Axis.linear(0, highest, plot.bottom() - 1, plot.y() + 1).at(value);
    }

    @Override
    public void paint(Scene scene, Box plot, List<DrawnRun> runs) {
        for (Curve curve : curves) {
            if (runs.stream().noneMatch(run -> run.index() == curve.run())) {
                continue;
            }
            if (curve.filled()) {
                Outline area = new Outline().move(plot.x(), plot.bottom());
                along(area, plot, curve, false);
                area.line(plot.right(), plot.bottom()).close();
                scene.fill(area, curve.legend().ink().withOpacity(0.15));
            }
            Outline line = new Outline();
            along(line, plot, curve, true);
            boolean dashes = curve.legend().sign() == Legend.Sign.DASHES;
            scene.stroke(line, curve.legend().ink(), 1.5, dashes ? Legend.DASHES : Scene.SOLID);
        }
    }

    private void along(Outline outline, Box plot, Curve curve, boolean begins) {
        double each = plot.width() / curve.size();
        double before = up(plot, steps ? curve.value(0) : 0);
        if (begins) {
            outline.move(plot.x(), before);
        } else {
            outline.line(plot.x(), before);
        }
        for (int i = 0; i < curve.size(); i++) {
            double x = plot.x() + i * each;
            double y = up(plot, curve.value(i));
            if (steps && Math.abs(y - before) > 0.05) {
                outline.line(x, before).line(x, y);
                before = y;
            } else if (!steps
                    && (i + 1 == curve.size()
                            || y != up(plot, curve.value(i + 1))
                            || y != before)) {
                outline.line(x + each, y);
                before = y;
            }
        }
        if (steps) {
            outline.line(plot.right(), before);
        }
    }
}
