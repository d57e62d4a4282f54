/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.model;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;

import dev.informer.testing.FakeEtcd.Content;
import dev.informer.testing.FakeEtcd.Shape;
import dev.informer.testing.FakeSource;

/**
 * Operations of a {@link ModelRun} between the steps of its threads.
 */
final class ModelOperations {

	private static final List<String> NAMES = List.of("a", "b", "c", "d", "e");

	private static final List<String> APPS = List.of("", "web", "web", "db", ModelPods.POISON);

	private static final List<String> PHASES = List.of("", "Pending", "Running");

	private static final int MOST_HANDLERS = 6;

	private final ModelWorld world;

	private final FakeSource source;

	ModelOperations(ModelWorld world) {
		this.world = world;
		this.source = world.source();
	}

	/**
	 * Perform a random operation.
	 */
	void perform(Random random) {
		int what = random.nextInt(100);
		if (what < 45) {
			changeServer(random);
		}
		else if (what < 55) {
			disturbWatch(random);
		}
		else if (what < 63) {
			disturbRequests(random);
		}
		else if (what < 83) {
			changeHandlers(random);
		}
		else if (what < 93) {
			changeInformer(random);
		}
		else {
			Duration duration = Duration.ofMillis(1L << random.nextInt(18));
			this.world.trace().note("time passes: " + duration);
			this.world.threads().advance(duration);
		}
		this.world.threads().progressed();
	}

	private void changeServer(Random random) {
		if (this.world.isRewound()) {
			return;
		}
		String name = name(random);
		switch (random.nextInt(10)) {
			case 0, 1, 2, 3, 4 -> put(name, random);
			case 5, 6 -> {
				Shape shape = shape(random);
				this.world.trace().note("delete " + name + " " + shape);
				this.source.delete(name, shape);
			}
			case 7, 8 -> {
				this.world.trace().note("recreate " + name);
				this.source.delete(name);
				put(name, random);
			}
			default -> {
				this.world.trace().note("bookmark");
				this.source.bookmark();
			}
		}
	}

	private String name(Random random) {
		String name = NAMES.get(random.nextInt(NAMES.size()));
		return (random.nextInt(3) == 0) ? "other/" + name : name;
	}

	private void put(String name, Random random) {
		Shape shape = shape(random);
		Content content = new Content(APPS.get(random.nextInt(APPS.size())), PHASES.get(random.nextInt(PHASES.size())));
		this.world.trace().note("put " + name + " " + shape + " " + content);
		this.source.put(name, shape, content);
	}

	private Shape shape(Random random) {
		if (!this.world.settings().undecodable() || random.nextInt(4) > 0) {
			return Shape.FINE;
		}
		return (random.nextInt(6) == 0) ? Shape.NAMELESS : Shape.BROKEN;
	}

	private void disturbWatch(Random random) {
		int what = random.nextInt(this.world.isRewound() ? 4 : 6);
		this.world.trace().note("disturb watch " + what);
		switch (what) {
			case 0 -> this.source.disconnect();
			case 1 -> this.source.endWatches();
			case 2 -> this.source.errorEvent(410, "Expired");
			case 3 -> this.source.errorEvent(500, "InternalError");
			case 4 -> this.source.compactAndBreakWatches();
			default -> restore(random);
		}
	}

	private void restore(Random random) {
		long version = this.source.version() - 1 - random.nextInt(8);
		if (this.world.settings().backups() && version >= 1) {
			this.world.trace().note("rollback to " + version);
			this.world.rollBack(version);
		}
	}

	private void disturbRequests(Random random) {
		int what = random.nextInt(this.world.isRewound() ? 9 : 10);
		this.world.trace().note("disturb requests " + what);
		switch (what) {
			case 0 -> this.source.failList(500, "InternalError");
			case 1 -> this.source.failList(410, "Expired");
			case 2 -> this.source.failList(new IOException("connection reset"));
			case 3 -> this.source.cutList();
			case 4 -> this.source.failWatch(429, "TooManyRequests");
			case 5 -> this.source.failWatch(404, "NotFound");
			case 6 -> this.source.failWatch(403, "Forbidden");
			case 7 -> this.source.failWatch(new IOException("connection reset"));
			case 8 -> this.source.paging(random.nextBoolean());
			default -> this.source.compact();
		}
	}

	private void changeHandlers(Random random) {
		List<ModelHandler> handlers = this.world.handlers();
		int what = random.nextInt(12);
		if (handlers.isEmpty() || (what < 3 && handlers.size() < MOST_HANDLERS)) {
			this.world.addHandler(random);
			return;
		}
		ModelHandler handler = handlers.get(random.nextInt(handlers.size()));
		this.world.trace().note("handler " + handler.registration().name() + ": " + what);
		switch (what) {
			case 3 -> {
				handler.remove();
				handlers.remove(handler);
			}
			case 4, 5 -> handler.registration().pause();
			case 6, 7 -> handler.registration().resume();
			case 8 -> handler.hold(true);
			case 9, 10 -> handler.moveGate(random);
			default -> handler.hold(false);
		}
	}

	private void changeInformer(Random random) {
		if (this.world.settings().selected() && random.nextBoolean()) {
			this.world.flip(random.nextBoolean() ? "ns" : "other");
		}
		else if (random.nextInt(3) == 0) {
			this.world.stop(Duration.ofSeconds(random.nextBoolean() ? 0 : random.nextInt(30)));
		}
		else {
			this.world.start();
		}
	}

}
