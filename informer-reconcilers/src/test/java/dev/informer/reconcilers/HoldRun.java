/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;

import dev.informer.InformerFactory;
import dev.informer.InvocationGate;
import dev.informer.InvocationGate.Access;
import dev.informer.client.ObjectState;
import dev.informer.client.ResourceType;
import dev.informer.client.TimeSource;
import dev.informer.client.type.ValueType;
import dev.informer.reconcilers.KeyQueue.Entry;
import dev.informer.reconcilers.KeyQueue.Hold;
import dev.informer.reconcilers.ModelServer.Event;
import dev.informer.reconcilers.ModelServer.History;
import dev.informer.reconcilers.ReconcileContext.Trigger;
import dev.informer.work.Work;
import dev.informer.work.WorkerThreads;
import dev.informer.writer.ObjectWrite.Operation;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Secret;
import org.jspecify.annotations.Nullable;

/**
 * Sequence of random operations on queue, holds, look-ups and takeovers of a reconciler
 * in virtual time. Its method creates a child with a generated name where it sees none,
 * and at random deletes it or writes the primary object.
 */
final class HoldRun {

	/** Secret of a create whose name the server generates. */
	private static final ObjectState GENERATED = new ObjectState("n", null, null, null);

	private static final String PRIMARIES = "p";

	private static final String CHILDREN = "c";

	private static final ResourceType<V1Secret> SECRETS = ResourceType.of(V1Secret.class);

	private static final ResourceType<V1ConfigMap> CONFIG_MAPS = ResourceType.of(V1ConfigMap.class);

	/**
	 * The time for which a create without an answer is awaited, or a bookmark, for which
	 * a look-up that has failed is not repeated, and that events and polls take.
	 */
	private static final long BOUND = millis(60_000 + 60_000 + 30_000 + 10_000);

	private final long seed;

	private final ModelServer server = new ModelServer();

	private final ModelInformer primaries = new ModelInformer(this.server, CONFIG_MAPS, PRIMARIES, this::listed);

	private final ModelInformer children = new ModelInformer(this.server, SECRETS, CHILDREN, this::listed);

	private final VirtualClock time = new VirtualClock();

	private final KeyQueue queue = new KeyQueue(millis(100), this::access);

	private final CacheGate caches = new CacheGate(List.of(this.primaries.informer(), this.children.informer()),
			this.time);

	private final WorkerThreads<String> threads = new WorkerThreads<>(new NoWork(), 1, InvocationGate.OPEN,
			(suffix, task) -> new Thread(task), this.time);

	private final LookUps lookUps = new LookUps(new CallTimer(factory()), this.time, new CallLog("model", this.time));

	private final Map<String, Key> keys = new LinkedHashMap<>();

	private final List<String> trace = new ArrayList<>();

	private Random random = new Random();

	/** Creates that the server carries out later. */
	private final List<Late> late = new ArrayList<>();

	private long term = 1;

	private boolean open = true;

	private boolean healed;

	private long bookmarked;

	private int depth;

	/** Whether something has happened during a list or a call. */
	private boolean nested;

	private int names;

	/** Of the call that runs. */
	private OwnWrites written = new OwnWrites(List.of(), null);

	private long calls;

	private long lookedUp;

	private long takeovers;

	HoldRun(long seed) {
		this.seed = seed;
		for (String name : List.of("a", "b", "c")) {
			this.keys.put(name, new Key(name));
		}
	}

	private InformerFactory factory() {
		return (InformerFactory) Proxy.newProxyInstance(HoldRun.class.getClassLoader(),
				new Class<?>[] { InformerFactory.class }, (proxy, method, arguments) -> {
					if (method.getName().equals("time")) {
						return this.time;
					}
					throw new UnsupportedOperationException(method.getName());
				});
	}

	private static long millis(long millis) {
		return TimeUnit.MILLISECONDS.toNanos(millis);
	}

	/**
	 * Run operations, and return what does not hold; {@code null} if everything does.
	 */
	@Nullable String run(List<Integer> operations) {
		try {
			for (int operation : operations) {
				this.random = new Random(this.seed * 1_000_003 + operation);
				this.random.nextInt();
				long before = this.time.nanoTime();
				this.nested = false;
				operate(this.random.nextInt(32));
				work();
				if (this.time.nanoTime() - before >= millis(300) && !this.nested) {
					checkEnded();
				}
			}
			settle();
			return null;
		}
		catch (IllegalStateException ex) {
			return ex.toString();
		}
	}

	List<String> trace() {
		return this.trace;
	}

	long calls() {
		return this.calls;
	}

	long lookUps() {
		return this.lookedUp;
	}

	long takeovers() {
		return this.takeovers;
	}

	private void note(String line) {
		this.trace.add(TimeUnit.NANOSECONDS.toMillis(this.time.nanoTime()) + " " + line);
	}

	private Key key() {
		List<Key> all = List.copyOf(this.keys.values());
		return all.get(this.random.nextInt(all.size()));
	}

	private void operate(int operation) {
		switch (operation) {
			case 0, 1, 2, 3 -> changePrimary(key());
			case 4 -> meddle(key());
			case 5, 6, 7, 8, 9, 10, 11 ->
				pass(List.of(1, 1, 10, 100, 100, 300, 1000, 5000, 6000, 20_000).get(this.random.nextInt(10)));
			case 12, 13, 14, 15, 16, 17, 18 -> deliver();
			case 19 -> {
				note("backup");
				this.server.backUp();
			}
			case 20 -> restore();
			case 21 -> {
				note("watches end");
				this.primaries.disconnect();
				this.children.disconnect();
			}
			case 22, 23, 24, 25 -> compare(this.random.nextBoolean() ? this.primaries : this.children);
			case 26, 27 -> changeTerm();
			case 28 -> endMarked(key());
			case 29 -> {
				restore();
				compare(this.primaries);
				compare(this.children);
			}
			case 30 -> {
				compare(this.primaries);
				compare(this.children);
			}
			default -> {
			}
		}
	}

	private void changePrimary(Key key) {
		KubernetesObject current = this.server.find(PRIMARIES + key.key());
		if (current != null && this.random.nextInt(6) == 0) {
			note("delete " + key.name);
			this.server.remove(PRIMARIES + key.key());
			return;
		}
		note("change " + key.name);
		String uid = (current != null) ? ObjectState.of(current).uid() : "uid-" + this.names++;
		touch(key, uid);
	}

	private KubernetesObject touch(Key key, @Nullable String uid) {
		V1ConfigMap changed = new V1ConfigMap()
			.metadata(new V1ObjectMeta().namespace("n").name(key.name).uid(uid).resourceVersion(this.server.next()));
		this.server.put(PRIMARIES + key.key(), changed);
		return changed;
	}

	private void meddle(Key key) {
		for (KubernetesObject child : childrenOf(key)) {
			note("meddle with " + child.getMetadata().getName());
			this.server.remove(CHILDREN + ObjectState.of(child).key());
		}
	}

	private List<KubernetesObject> childrenOf(Key key) {
		KubernetesObject primary = this.server.find(PRIMARIES + key.key());
		String uid = (primary != null) ? ObjectState.of(primary).uid() : "";
		return this.server.objects(CHILDREN)
			.values()
			.stream()
			.filter((child) -> child.getMetadata().getOwnerReferences().get(0).getUid().equals(uid))
			.toList();
	}

	private void endMarked(Key key) {
		for (KubernetesObject child : childrenOf(key)) {
			if (child.getMetadata().getDeletionTimestamp() != null) {
				note("end " + child.getMetadata().getName());
				this.server.remove(CHILDREN + ObjectState.of(child).key());
			}
		}
	}

	private void pass(long millis) {
		note("pass " + millis);
		this.time.nanos += millis(millis);
		List<Late> due = this.late.stream().filter((create) -> create.at - this.time.nanoTime() <= 0).toList();
		this.late.removeAll(due);
		due.forEach((create) -> {
			note("carry out the create for " + create.key.name);
			create.key.written(stored(create.child), this.server.revision(), Effect.CREATED);
		});
	}

	private void deliver() {
		ModelInformer informer = this.random.nextBoolean() ? this.primaries : this.children;
		boolean more = true;
		for (int i = this.random.nextInt(4); i >= 0 && more; i--) {
			more = informer.deliver(this.random.nextInt(5) == 0, this::changed);
		}
	}

	/** An event of an informer. */
	private void changed(Event event) {
		KubernetesObject object = Objects.requireNonNull(event.object());
		if (event.key().startsWith(PRIMARIES)) {
			String key = event.key().substring(1);
			if (this.primaries.objects().containsKey(event.key())) {
				this.queue.trigger(key, Trigger.PRIMARY, this.time.nanoTime());
			}
			else {
				this.queue.deleted(key, this.time.nanoTime());
			}
		}
		else {
			String key = "n/" + object.getMetadata().getOwnerReferences().get(0).getName();
			if (this.primaries.objects().containsKey(PRIMARIES + key)) {
				this.queue.trigger(key, Trigger.OWNED, this.time.nanoTime());
			}
		}
	}

	private void restore() {
		// what others have deleted since may be there again, without an event until then
		this.keys.values()
			.forEach((key) -> key.written.removeIf((write) -> write.find(this.server.objects(CHILDREN)) == null));
		if (this.server.restore()) {
			note("restore " + this.server.revision());
			this.late.clear();
			this.primaries.disconnect();
			this.children.disconnect();
		}
	}

	private void compare(ModelInformer informer) {
		if (!informer.isFollowing()) {
			note("compare " + ((informer == this.primaries) ? "primaries" : "children"));
			informer.compare(this::changed);
		}
	}

	/** While the gate is closed, another process does the same, once calls have ended. */
	private void changeTerm() {
		this.open = !this.open;
		note(this.open ? "gate opens" : "gate closes");
		if (this.open) {
			this.term++;
			this.takeovers++;
		}
		else {
			for (Key key : this.keys.values()) {
				KubernetesObject primary = this.server.find(PRIMARIES + key.key());
				if (primary != null && childrenOf(key).isEmpty() && !key.isAwaited() && this.random.nextBoolean()) {
					note("another process creates a child of " + key.name);
					key.written(stored(child(key, Objects.requireNonNull(ObjectState.of(primary).uid()))),
							this.server.revision(), Effect.CREATED);
				}
			}
		}
		this.queue.setPaused(!this.open);
		this.queue.gateChanged(this.time.nanoTime());
	}

	private Access access(String key) {
		return (this.open && this.caches.admits(this.term)) ? Access.OPEN : Access.CLOSED;
	}

	/** As the threads of a reconciler do. */
	private void work() {
		for (int i = 0; i < 4; i++) {
			long now = this.time.nanoTime();
			if (this.caches.update()) {
				this.queue.gateChanged(now);
			}
			if (!this.caches.isFollowing()) {
				return;
			}
			List<Hold> holds = this.queue.takeLookUps(now);
			CacheGate.Proof comparison = holds.isEmpty() ? this.caches.takeComparison() : null;
			if (!holds.isEmpty()) {
				note("look up " + holds);
				this.lookedUp++;
				this.lookUps.run(holds, this.threads);
				this.queue.lookedUp(this.time.nanoTime());
			}
			else if (comparison != null) {
				note("compare caches");
				this.caches.compare(comparison, this.lookUps, this.threads);
			}
			else {
				Entry entry = this.caches.isOpen() ? this.queue.take(now) : null;
				if (entry == null) {
					return;
				}
				call(entry);
			}
		}
	}

	/** A poll later, no hold is left that has ended, for example with its epoch. */
	private void checkEnded() {
		for (Key key : this.keys.values()) {
			Entry entry = this.queue.find(key.key());
			if (entry != null && this.caches.isFollowing() && entry.place() == KeyQueue.Place.HELD) {
				for (Hold hold : entry.writes()) {
					require(!((OwnWrite) hold).isVoid(), "the hold of " + key.name + " has outlived its epoch");
					require(hold.progress() == Hold.Progress.WAITING, key.name + " is held by what has ended");
				}
			}
		}
	}

	/** What happens at the same time as a list or a call. */
	private void meanwhile() {
		this.depth++;
		for (int i = this.random.nextInt(6); i > 0 && this.depth < 3 && !this.healed; i--) {
			this.nested = true;
			operate(this.random.nextInt(32));
			work();
		}
		this.depth--;
	}

	private void listed() throws IOException {
		meanwhile();
		if (!this.healed && this.random.nextInt(6) == 0) {
			note("list fails");
			throw new IOException("for the test");
		}
	}

	private void call(Entry entry) {
		Key key = Objects.requireNonNull(this.keys.get(entry.key.substring(2)));
		KubernetesObject primary = this.primaries.objects().get(PRIMARIES + entry.key);
		if (primary == null) {
			this.queue.end(entry, CallResult.ENDED, this.time.nanoTime());
			return;
		}
		this.calls++;
		key.checkSees();
		key.called = ObjectState.of(primary);
		List<KubernetesObject> seen = this.children.owned(String.valueOf(ObjectState.of(primary).uid()));
		key.seen = seen.size();
		note("call " + key.name + " with " + seen.size());
		meanwhile();
		this.written = new OwnWrites(List.of(this.primaries.informer(), this.children.informer()), null);
		boolean failed = write(key, primary, seen);
		List<OwnWrite> writes = this.written.writes();
		meanwhile();
		note("end of call " + key.name + " writes " + writes);
		long now = this.time.nanoTime();
		this.queue.end(entry,
				failed ? CallResult.failed(Duration.ofMillis(50), null, writes) : CallResult.succeeded(null, writes),
				now);
	}

	/** Return whether the call fails. */
	private boolean write(Key key, KubernetesObject primary, List<KubernetesObject> seen) {
		boolean exists = this.server.find(PRIMARIES + key.key()) != null;
		if (seen.isEmpty()) {
			return create(key, child(key, String.valueOf(ObjectState.of(primary).uid())));
		}
		if (this.healed || this.random.nextInt(3) > 0 || !exists) {
			return false;
		}
		if (this.random.nextBoolean()) {
			note("write " + key.name);
			KubernetesObject written = touch(key, ObjectState.of(primary).uid());
			key.called = ObjectState.of(written);
			this.written.written(Operation.UPDATE, CONFIG_MAPS, written);
			return false;
		}
		return delete(key, seen.get(0));
	}

	private boolean create(Key key, V1Secret child) {
		V1Secret desired = new V1Secret().metadata(new V1ObjectMeta().namespace("n")
			.generateName("child-")
			.ownerReferences(child.getMetadata().getOwnerReferences()));
		int outcome = this.healed ? 0 : this.random.nextInt(12);
		note("create " + child.getMetadata().getName() + " " + outcome);
		this.threads.locked(() -> {
		});
		switch (outcome) {
			case 7 -> {
				send(desired);
				key.written(stored(child), this.server.revision(), Effect.CREATED);
				this.written.unanswered(SECRETS, GENERATED);
				return true;
			}
			case 8 -> {
				send(desired);
				this.late.add(new Late(key, child, this.time.nanoTime() + millis(this.random.nextInt(59_000))));
				this.written.unanswered(SECRETS, GENERATED);
				return true;
			}
			case 9 -> {
				send(desired);
				this.written.unanswered(SECRETS, GENERATED);
				return true;
			}
			case 10 -> {
				send(desired);
				long version = this.server.revision() + this.random.nextInt(20);
				this.written.written(Operation.CREATE, SECRETS, copy(child, String.valueOf(version), false));
				return false;
			}
			default -> {
				send(desired);
				KubernetesObject stored = stored(child);
				this.written.written(Operation.CREATE, SECRETS, stored);
				key.written(stored, this.server.revision(), Effect.CREATED);
				return false;
			}
		}
	}

	private void send(V1Secret desired) {
		this.written.sending(SECRETS, GENERATED, bytes(desired));
	}

	private static byte[] bytes(V1Secret object) {
		return ValueType.jsonOf(object).toString().getBytes(StandardCharsets.UTF_8);
	}

	private boolean delete(Key key, KubernetesObject child) {
		ObjectState read = ObjectState.of(child);
		String path = CHILDREN + read.key();
		KubernetesObject current = this.server.find(path);
		if (current == null || !Objects.equals(ObjectState.of(current).uid(), read.uid())) {
			return false;
		}
		int outcome = this.random.nextInt(8);
		note("delete " + read.name() + " " + outcome);
		switch (outcome) {
			// an answer of a deletion that does not happen
			case 0 -> this.written.deleted(SECRETS, child, "{\"kind\":\"Status\"}".getBytes(StandardCharsets.UTF_8));
			case 1 -> this.written.deleted(SECRETS, child, bytes(copy((V1Secret) current, "1", true)));
			case 2 -> {
				this.server.remove(path);
				ObjectState named = new ObjectState("n", read.name(), null, null);
				this.written.sending(SECRETS, named, new byte[0]);
				this.written.unanswered(SECRETS, named);
				return true;
			}
			case 3 -> {
				V1Secret marked = copy((V1Secret) current, this.server.next(), true);
				marked.getMetadata().addFinalizersItem("example.com/child");
				this.server.put(path, marked);
				key.written(marked, this.server.revision(), Effect.MARKED);
				this.written.deleted(SECRETS, child, bytes(marked));
			}
			default -> {
				this.server.remove(path);
				key.written(child, this.server.revision(), Effect.DELETED);
				this.written.deleted(SECRETS, child, "{\"kind\":\"Status\"}".getBytes(StandardCharsets.UTF_8));
			}
		}
		return false;
	}

	private V1Secret child(Key key, String owner) {
		String name = "child-" + this.names++;
		return new V1Secret().metadata(new V1ObjectMeta().namespace("n")
			.name(name)
			.generateName("child-")
			.uid("uid-" + name)
			.addOwnerReferencesItem(new V1OwnerReference().name(key.name).uid(owner)));
	}

	private KubernetesObject stored(V1Secret child) {
		V1Secret stored = copy(child, this.server.next(), false);
		this.server.put(CHILDREN + ObjectState.of(stored).key(), stored);
		return stored;
	}

	private static V1Secret copy(V1Secret child, String version, boolean marked) {
		V1ObjectMeta metadata = child.getMetadata();
		return new V1Secret().metadata(new V1ObjectMeta().namespace(metadata.getNamespace())
			.name(metadata.getName())
			.generateName(metadata.getGenerateName())
			.uid(metadata.getUid())
			.resourceVersion(version)
			.deletionTimestamp(marked ? OffsetDateTime.parse("2026-01-01T00:00:00Z") : null)
			.ownerReferences(metadata.getOwnerReferences()));
	}

	/**
	 * Let nothing fail any more, and check that each object is called for as it is.
	 */
	private void settle() {
		note("settle");
		this.healed = true;
		this.random = new Random(this.seed);
		if (!this.open) {
			changeTerm();
		}
		long end = this.time.nanoTime() + BOUND;
		this.bookmarked = this.time.nanoTime();
		while (end - this.time.nanoTime() > 0) {
			compare(this.primaries);
			compare(this.children);
			// one bookmark a minute
			boolean bookmark = this.time.nanoTime() - this.bookmarked >= millis(60_000);
			this.bookmarked = bookmark ? this.time.nanoTime() : this.bookmarked;
			while (this.primaries.deliver(bookmark, this::changed) || this.children.deliver(bookmark, this::changed)) {
				work();
			}
			work();
			long next = Math.min(Math.max(this.queue.nanosToNext(this.time.nanoTime()), millis(1)), millis(50));
			boolean idle = this.queue.isIdle() && this.late.isEmpty() && !this.caches.isTermPending();
			pass(idle ? 10_000 : TimeUnit.NANOSECONDS.toMillis(next));
		}
		require(this.queue.isIdle(), "not idle: " + this.queue.counts());
		for (Key key : this.keys.values()) {
			key.checkEnd();
		}
	}

	private static void require(boolean condition, String problem) {
		if (!condition) {
			throw new IllegalStateException(problem);
		}
	}

	/**
	 * Primary object, and what calls for it have written.
	 */
	private final class Key {

		private final String name;

		/** What is carried out, and has to be seen. */
		private final List<Written> written = new ArrayList<>();

		/** The state of the primary object that the last call has seen. */
		private ObjectState called = ObjectState.NONE;

		/** The number of children that it has seen. */
		private int seen;

		Key(String name) {
			this.name = name;
		}

		private String key() {
			return "n/" + this.name;
		}

		private boolean isAwaited() {
			Entry entry = HoldRun.this.queue.find(key());
			boolean running = entry != null && entry.place() == KeyQueue.Place.RUNNING;
			return running || HoldRun.this.late.stream().anyMatch((create) -> create.key == this);
		}

		private void written(KubernetesObject object, long version, Effect effect) {
			this.written.add(new Written(HoldRun.this.server.history(), version, object, effect));
		}

		/**
		 * Check that the cache shows what was written, unless a restore or others have
		 * undone it.
		 */
		private void checkSees() {
			History current = HoldRun.this.server.history();
			for (Written write : this.written) {
				KubernetesObject stored = write.find(HoldRun.this.server.objects(CHILDREN));
				KubernetesObject cached = write.find(HoldRun.this.children.objects());
				boolean seen = switch (write.effect) {
					case CREATED -> stored == null || cached != null;
					case MARKED -> cached == null || cached.getMetadata().getDeletionTimestamp() != null;
					case DELETED -> cached == null;
				};
				require(seen || !current.contains(write.history, write.version),
						"the call for " + this.name + " does not see " + write);
			}
			this.written.clear();
		}

		private void checkEnd() {
			KubernetesObject primary = HoldRun.this.server.find(PRIMARIES + key());
			Entry entry = HoldRun.this.queue.find(key());
			require(entry == null || entry.writes().isEmpty(), this.name + " is held");
			if (primary != null) {
				require(ObjectState.of(primary).isSameAs(this.called),
						this.name + " was called with " + this.called + " instead of " + ObjectState.of(primary));
				require(this.seen > 0 && this.seen == childrenOf(this).size(), this.name + " was called with "
						+ this.seen + " children instead of " + childrenOf(this).size());
			}
		}

	}

	private enum Effect {

		CREATED, MARKED, DELETED

	}

	/**
	 * Write that the server has carried out.
	 */
	private record Written(History history, long version, KubernetesObject object, Effect effect) {

		private @Nullable KubernetesObject find(Map<String, KubernetesObject> objects) {
			KubernetesObject found = objects.get(CHILDREN + ObjectState.of(this.object).key());
			return (found != null && Objects.equals(ObjectState.of(found).uid(), ObjectState.of(this.object).uid()))
					? found : null;
		}

		@Override
		public String toString() {
			return this.object.getMetadata().getName() + " " + this.effect + " at " + this.version;
		}

	}

	private record Late(Key key, V1Secret child, long at) {
	}

	private static final class VirtualClock implements TimeSource {

		private long nanos = Long.MAX_VALUE - millis(100_000);

		@Override
		public Instant now() {
			return Instant.EPOCH;
		}

		@Override
		public long nanoTime() {
			return this.nanos;
		}

		@Override
		public void await(Condition condition, long nanos) {
			throw new UnsupportedOperationException();
		}

	}

	private static final class NoWork implements Work<String> {

		@Override
		public String subject() {
			return "none";
		}

		@Override
		public int threadsNeeded(boolean idle) {
			return 0;
		}

		@Override
		public boolean runNext() {
			return false;
		}

		@Override
		public void threadFailed(String message, Throwable cause) {
			throw new IllegalStateException(message, cause);
		}

	}

}
