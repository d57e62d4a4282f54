package dev.informer.controller;

import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

import dev.informer.InformerOptions;
import dev.informer.SharedIndexInformer;
import dev.informer.testing.EventLog;
import dev.informer.testing.FakeHistory.Shape;
import dev.informer.testing.FakeSource;
import dev.informer.testing.NoThreadLeft;
import dev.informer.testing.SteppedThread;
import dev.informer.testing.SteppedThreads;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what only happens when the server and the threads of an informer go on in a
 * certain order.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(60)
class SteppedInformerTests {

	private static final int ROUNDS = 30;

	private final SteppedThreads threads = new SteppedThreads();

	private final FakeSource source = new FakeSource().stepped(this.threads);

	private final EventLog<V1Pod> log = new EventLog<>();

	private SharedIndexInformer<V1Pod> informer = informer(false);

	@AfterEach
	void close() {
		this.threads.start("close", this.informer::close);
		letGoOn((thread) -> true);
	}

	@Test
	void deletionInAStream_counts_thoughSomethingNamelessIsInItToo() {
		this.informer = informer(true);
		this.source.put("a");
		this.source.put("b");
		this.source.put("c");
		start();
		this.source.delete("c");
		this.source.put("nameless", Shape.NAMELESS);
		this.source.loseHistory();
		letReflectorOpenItsStream();
		this.source.delete("a");
		this.source.delete("b", Shape.BROKEN);
		this.source.put("b");
		letGoOn((thread) -> true);
		assertThat(this.informer.lister().keys()).as("of c nothing was said").containsExactlyInAnyOrder("ns/b", "ns/c");
		assertThat(this.log.story()).endsWith("DELETED ns/a", "DELETED ns/b", "ADDED ns/b");
		assertThat(this.log.problems()).isEmpty();
	}

	private SharedIndexInformer<V1Pod> informer(boolean streaming) {
		return FakeInformers.pods(this.source,
				new InformerOptions.Builder(InformerOptions.DEFAULT).streamingList(streaming).build(),
				(settings) -> settings.threadFactory(this.threads).time(this.threads));
	}

	private void start() {
		this.informer.addHandler(this.log);
		this.informer.start();
		letGoOn((thread) -> true);
	}

	private void letReflectorOpenItsStream() {
		int before = this.source.requests().size();
		SteppedThread reflector = reflector();
		for (int i = 0; i < ROUNDS && streams(before).isEmpty(); i++) {
			this.threads.step(reflector);
			this.threads.advance(Duration.ofSeconds(1));
		}
		assertThat(streams(before)).hasSize(1);
	}

	private List<String> streams(int before) {
		return this.source.requests().stream().skip(before).filter((request) -> request.startsWith("STREAM")).toList();
	}

	private SteppedThread reflector() {
		return this.threads.all()
			.stream()
			.filter((thread) -> thread.getName().endsWith("reflector"))
			.findAny()
			.orElseThrow();
	}

	private void letGoOn(Predicate<SteppedThread> which) {
		for (int i = 0; i < ROUNDS; i++) {
			this.threads.all().stream().filter(which).forEach(this.threads::step);
			this.threads.advance(Duration.ofSeconds(1));
		}
	}

}
