/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.io.IOException;
import java.io.StringReader;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;

import com.google.gson.JsonParser;
import dev.informer.InformerFactory;
import dev.informer.InvocationGate;
import dev.informer.QueuePolicy;
import dev.informer.ResourceEvent;
import dev.informer.RetryLaterException;
import dev.informer.RetryPolicy;
import dev.informer.SharedIndexInformer;
import dev.informer.leader.LeaderElectionOptions;
import dev.informer.leader.LeaderElector;
import dev.informer.test.cluster.RealKubernetes;
import dev.informer.test.cluster.RealServer;
import dev.informer.test.cluster.RequiredServer;
import dev.informer.writer.LateWatches;
import dev.informer.writer.ObjectWriteException;
import dev.informer.writer.ObjectWriter;
import dev.informer.writer.Workspace;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentSpec;
import io.kubernetes.client.openapi.models.V1LabelSelector;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import okhttp3.Interceptor;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static dev.informer.test.support.Await.awaitExternal;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A controller with a Namespace, a Deployment and a Secret per object, whose names are
 * generated: a call with a cache that does not have what the last one created would
 * create a second one. A foreign writer creates, changes and deletes at random, the watch
 * is late, and the controller is restarted without an end of its calls, or its leader is
 * cut off from the server.
 * <p>
 * {@code -Dreconcilers.objects=1000 -Dreconcilers.changes=10000 -Dreconcilers.restarts=20
 * -Dreconcilers.leaders=50 -Dreconcilers.delay=5000} is the long form.
 */
@RealKubernetes(RequiredServer.LIVING_CLUSTER)
class RealReconcilersTests {

	private static final int OBJECTS = Integer.getInteger("reconcilers.objects", 20);

	private static final int CHANGES = Integer.getInteger("reconcilers.changes", 200);

	private static final int RESTARTS = Integer.getInteger("reconcilers.restarts", 3);

	/** Leaders that are cut off. */
	private static final int LEADERS = Integer.getInteger("reconcilers.leaders", 2);

	/** Maximum time for which a watch stalls, in milliseconds. */
	private static final int DELAY = Integer.getInteger("reconcilers.delay", 500);

	private static final long SEED = Long.getLong("reconcilers.seed", System.nanoTime());

	/**
	 * A new leader knows what the former one has written if its watch is not later than a
	 * Lease lasts after its last renewal.
	 */
	private static final Duration LEASE = Duration.ofSeconds(3).plusMillis(DELAY);

	private static final String FINALIZER = "example.com/workspace";

	private final Map<String, Thread> calls = new ConcurrentHashMap<>();

	private final List<String> overlaps = Collections.synchronizedList(new ArrayList<>());

	/** Deployments by the UID of their workspace. */
	private final Map<String, Set<String>> deployments = new HashMap<>();

	private final List<String> duplicates = Collections.synchronizedList(new ArrayList<>());

	private final Random random = new Random(SEED);

	/** Replicas of the wanted workspaces, by name. */
	private final Map<String, Integer> wanted = new HashMap<>();

	@BeforeEach
	void define(RealServer server) throws Exception {
		try (InformerFactory factory = InformerFactory.create(client(server))) {
			ObjectWriter.of(factory, "tests")
				.apply(new DynamicKubernetesObject(JsonParser.parseString(Workspace.DEFINITION).getAsJsonObject()));
			awaitExternal().untilAsserted(() -> assertThat(factory.connection()
				.send("GET", "/apis/example.com/v1/workspaces", Map.of(), null, null, true, Duration.ofSeconds(5)))
				.isNotEmpty());
		}
	}

	@Test
	@Timeout(3600)
	void wantedObjects_existExactlyOnce(RealServer server) throws Exception {
		try (InformerFactory direct = InformerFactory.create(client(server))) {
			watchDirectly(direct);
			ObjectWriter foreign = ObjectWriter.of(direct, "foreign");
			for (int run = 0; run <= RESTARTS; run++) {
				try (Controller controller = new Controller(server, Controller::onThisThread, false)) {
					for (int change = 0; change < CHANGES / (RESTARTS + 1); change++) {
						change(direct, foreign);
					}
					if (run == RESTARTS) {
						assertEnd(direct, controller);
					}
				}
			}
		}
		assertThat(this.duplicates).as("seed %s", SEED).isEmpty();
		assertThat(this.overlaps).as("seed %s", SEED).isEmpty();
	}

	/** A leader that is cut off continues to call until it knows that it is none. */
	@Test
	@Timeout(3600)
	void wantedObjects_existExactlyOnce_whenLeadersAreCutOff(RealServer server) throws Exception {
		List<Controller> replicas = new ArrayList<>();
		try (InformerFactory direct = InformerFactory.create(client(server))) {
			watchDirectly(direct);
			ObjectWriter foreign = ObjectWriter.of(direct, "foreign");
			replicas.add(new Controller(server, Controller::onThisThread, true));
			for (int cut = 0; cut <= LEADERS; cut++) {
				replicas.add(new Controller(server, Controller::onThisThread, true));
				awaitExternal().atMost(LEASE.plusMinutes(1)).until(() -> {
					change(direct, foreign);
					return replicas.stream().anyMatch(Controller::isLeader);
				});
				for (int change = 0; change < CHANGES / (LEADERS + 1); change++) {
					change(direct, foreign);
				}
				Controller leader = replicas.stream().filter(Controller::isLeader).findFirst().orElseThrow();
				if (cut == LEADERS) {
					assertEnd(direct, leader);
				}
				else {
					leader.cutOff();
					awaitExternal().atMost(LEASE).until(() -> {
						change(direct, foreign);
						return !leader.isLeader();
					});
					leader.close();
					replicas.remove(leader);
				}
			}
		}
		finally {
			replicas.forEach(Controller::close);
		}
		assertThat(this.duplicates).as("seed %s", SEED).isEmpty();
		assertThat(this.overlaps).as("seed %s", SEED).isEmpty();
	}

	/** Shows that the first test can fail: writes of other threads are not waited for. */
	@Test
	@Timeout(3600)
	void duplicatesAppear_withoutHold(RealServer server) throws Exception {
		try (InformerFactory direct = InformerFactory.create(client(server))) {
			watchDirectly(direct);
			ObjectWriter foreign = ObjectWriter.of(direct, "foreign");
			try (Controller controller = new Controller(server, Controller::onOtherThread, false)) {
				awaitExternal().until(() -> {
					change(direct, foreign);
					return !this.duplicates.isEmpty();
				});
				for (Workspace workspace : direct.informer(Workspace.class).lister().list()) {
					foreign.delete(workspace);
				}
				awaitExternal().until(() -> direct.informer(Workspace.class).lister().size() == 0);
			}
		}
	}

	/**
	 * Changes of the spec come while the reconciler writes the status, whose events are
	 * its own.
	 */
	@Test
	@Timeout(3600)
	void changedSpec_isSeenByACall_duringStatusWrites(RealServer server) throws Exception {
		Map<String, Long> seen = new ConcurrentHashMap<>();
		Map<String, Long> changed = new HashMap<>();
		try (InformerFactory direct = InformerFactory.create(client(server));
				InformerFactory late = InformerFactory.create(new LateWatches(DELAY / 10).applyTo(client(server)))) {
			ObjectWriter writer = ObjectWriter.of(late, "controller");
			Reconcilers reconcilers = Reconcilers.of(late, writer);
			reconcilers.add(late.informer(Workspace.class, (options) -> options.labelSelector("test=spec")),
					(workspace, context) -> {
						seen.merge(workspace.getMetadata().getName(), workspace.getMetadata().getGeneration(),
								Math::max);
						workspace.observed((workspace.observed() + 1) % 1_000);
						writer.updateStatus(workspace);
						return null;
					}, (options) -> options.minInterval(Duration.ofMillis(1)));
			reconcilers.start();
			ObjectWriter foreign = ObjectWriter.of(direct, "foreign");
			for (int change = 1; change <= CHANGES; change++) {
				String name = "spec" + (change % OBJECTS);
				Workspace desired = Workspace.of(name, change);
				desired.getMetadata().putLabelsItem("test", "spec");
				changed.put(name, foreign.apply(desired).getMetadata().getGeneration());
				if (change % OBJECTS == 0) {
					awaitExternal().untilAsserted(() -> changed
						.forEach((key, generation) -> assertThat(seen.get(key)).as(key).isEqualTo(generation)));
				}
			}
			assertThat(changed.values()).allSatisfy((generation) -> assertThat(generation).isGreaterThan(1));
			reconcilers.close();
			for (String name : changed.keySet()) {
				foreign.delete(foreign.apply(Workspace.of(name, 0)));
			}
		}
	}

	/**
	 * The first call writes what its informer does not select, which holds nothing. The
	 * cleanup removes the last finalizer, whose answer is the last that the server says
	 * of the object.
	 */
	@Test
	@Timeout(600)
	void writeThatIsNotSelected_isFollowedByCalls_andTheEndOfTheObjectIsAwaited(RealServer server) throws Exception {
		AtomicInteger calls = new AtomicInteger();
		AtomicInteger cleanups = new AtomicInteger();
		try (InformerFactory direct = InformerFactory.create(client(server));
				InformerFactory late = InformerFactory.create(new LateWatches(DELAY).applyTo(client(server)));
				Reconcilers reconcilers = Reconcilers.of(late, ObjectWriter.of(late, "controller"))) {
			ObjectWriter writer = ObjectWriter.of(late, "controller");
			SharedIndexInformer<Workspace> workspaces = late.informer(Workspace.class,
					(options) -> options.labelSelector("test=hold"));
			ReconcilerRegistration registration = reconcilers.add(workspaces, (workspace, context) -> {
				if (calls.getAndIncrement() == 0) {
					writer.create(new V1Secret().metadata(new V1ObjectMeta().namespace("default")
						.generateName("hidden-")
						.putLabelsItem("hidden", "true")), workspace);
				}
				return null;
			}, (options) -> options
				.owns(late.informer(V1Secret.class, (secrets) -> secrets.labelSelector("hidden!=true")))
				.minInterval(Duration.ZERO)
				.cleanup(FINALIZER, (workspace, context) -> {
					cleanups.incrementAndGet();
					assertThat(reconcilers.find("workspaces").orElseThrow().request(null, "hold")).isTrue();
					return null;
				}));
			reconcilers.start();
			Workspace desired = Workspace.of("hold", 1);
			desired.getMetadata().putLabelsItem("test", "hold");
			ObjectWriter foreign = ObjectWriter.of(direct, "foreign");
			foreign.apply(desired);
			awaitExternal().until(() -> calls.get() == 1);
			desired.replicas(2);
			Workspace changed = foreign.apply(desired);
			awaitExternal().until(() -> calls.get() == 2);
			assertThat(registration.awaitIdle(Duration.ofMinutes(2))).isTrue();
			foreign.delete(changed);
			awaitExternal().until(() -> workspaces.lister().size() == 0);
			assertThat(registration.awaitIdle(Duration.ofMinutes(2))).isTrue();
			assertThat(cleanups).hasValue(1);
		}
	}

	private void watchDirectly(InformerFactory direct) throws InterruptedException {
		SharedIndexInformer<V1Deployment> informer = direct.informer(V1Deployment.class);
		informer.addHandler((event) -> {
			String uid = event.object().getMetadata().getUid();
			ownerOf(event.object()).ifPresent((owner) -> {
				Set<String> present = this.deployments.computeIfAbsent(owner, (any) -> new HashSet<>());
				if (event instanceof ResourceEvent.Deleted<?>) {
					present.remove(uid);
				}
				else if (present.add(uid) && present.size() > 1) {
					this.duplicates.add(owner + " " + present);
				}
			});
		}, (options) -> options.queue(QueuePolicy.KEEP_ALL));
		direct.informer(Workspace.class);
		direct.start();
		assertThat(direct.awaitSynced(Duration.ofSeconds(60))).isTrue();
	}

	private static Optional<String> ownerOf(KubernetesObject object) {
		List<V1OwnerReference> owners = object.getMetadata().getOwnerReferences();
		return (owners != null) ? owners.stream()
			.filter((owner) -> "Workspace".equals(owner.getKind()))
			.map(V1OwnerReference::getUid)
			.findFirst() : Optional.empty();
	}

	/**
	 * Change something as a foreign writer does, who may lose a race.
	 */
	private void change(InformerFactory direct, ObjectWriter foreign) throws Exception {
		String name = "w" + this.random.nextInt(OBJECTS);
		int replicas = this.random.nextInt(3);
		SharedIndexInformer<Workspace> workspaces = direct.informer(Workspace.class);
		Workspace current = workspaces.lister().get(name).orElse(null);
		try {
			if (current == null) {
				awaitVisible(workspaces, foreign.create(Workspace.of(name, replicas)));
				this.wanted.put(name, replicas);
			}
			else if (current.getMetadata().getDeletionTimestamp() == null) {
				int kind = this.random.nextInt(10);
				if (kind < 6) {
					awaitVisible(workspaces, foreign.patch(current, (copy) -> copy.replicas(replicas)));
					this.wanted.put(name, replicas);
				}
				else if (kind < 8) {
					foreign.delete(current);
					this.wanted.remove(name);
					awaitExternal().until(() -> workspaces.lister()
						.get(name)
						.filter((known) -> known.getMetadata().getDeletionTimestamp() == null)
						.isEmpty());
				}
				else {
					meddle(direct, foreign, current);
				}
			}
		}
		catch (ObjectWriteException ex) {
			assertThat(ex.getCode()).as(ex.getMessage()).isIn(404, 409, 422);
		}
	}

	/**
	 * Wait until the next change is based on the last one.
	 */
	private static void awaitVisible(SharedIndexInformer<Workspace> workspaces, Workspace written)
			throws InterruptedException {
		assertThat(workspaces.awaitAtLeast(written, Duration.ofSeconds(60))).as(() -> written.getMetadata() + " at "
				+ workspaces.lastSyncResourceVersion() + " " + workspaces.state() + " "
				+ workspaces.lister().get(String.valueOf(written.getMetadata().getName())).map(Workspace::getMetadata))
			.isTrue();
	}

	/**
	 * Delete or change what the controller has created.
	 */
	private void meddle(InformerFactory direct, ObjectWriter foreign, Workspace owner) throws Exception {
		for (V1Deployment deployment : direct.informer(V1Deployment.class).lister().list()) {
			if (ownerOf(deployment).filter(owner.getMetadata().getUid()::equals).isPresent()) {
				if (this.random.nextBoolean()) {
					foreign.delete(deployment);
				}
				else {
					foreign.patch(deployment, (copy) -> copy.getSpec().setReplicas(7));
				}
			}
		}
	}

	private void assertEnd(InformerFactory direct, Controller controller) throws Exception {
		SharedIndexInformer<Workspace> workspaces = direct.informer(Workspace.class);
		SharedIndexInformer<V1Deployment> all = direct.informer(V1Deployment.class);
		awaitExternal().atMost(Duration.ofMinutes(10)).untilAsserted(() -> {
			Map<String, Workspace> byUid = workspaces.lister()
				.list()
				.stream()
				.collect(Collectors.toMap((workspace) -> workspace.getMetadata().getUid(), Function.identity()));
			assertThat(byUid.values()
				.stream()
				.collect(Collectors.toMap((workspace) -> workspace.getMetadata().getName(), Workspace::replicas)))
				.isEqualTo(this.wanted);
			assertThat(byUid.values()).allSatisfy((workspace) -> {
				assertThat(workspace.observed()).isEqualTo(workspace.replicas());
				assertThat(workspace.getMetadata().getFinalizers()).containsExactly(FINALIZER);
			});
			List<V1Deployment> owned = all.lister()
				.list()
				.stream()
				.filter((deployment) -> ownerOf(deployment).isPresent())
				.toList();
			assertThat(owned).hasSize(byUid.size()).allSatisfy((deployment) -> {
				Workspace owner = byUid.get(ownerOf(deployment).orElseThrow());
				assertThat(owner).isNotNull();
				assertThat(deployment.getSpec().getReplicas()).isEqualTo(owner.replicas());
			});
		});
		controller.assertIdle(this.wanted.size());
	}

	private static ApiClient client(RealServer server) throws IOException {
		return ClientBuilder.kubeconfig(KubeConfig.loadKubeConfig(new StringReader(server.kubeconfig()))).build();
	}

	/**
	 * Controller, as a process would run it.
	 */
	private final class Controller implements AutoCloseable {

		private final ApiClient client;

		private final InformerFactory factory;

		private final LeaderElector elector;

		private final ObjectWriter writer;

		private final Reconcilers reconcilers;

		private final ReconcilerRegistration registration;

		private final SharedIndexInformer<V1Secret> secrets;

		private final Function<Callable<?>, @Nullable Object> thread;

		private volatile boolean cutOff;

		Controller(RealServer server, Function<Callable<?>, @Nullable Object> thread, boolean election)
				throws IOException {
			this.thread = thread;
			this.client = new LateWatches(DELAY).applyTo(client(server));
			this.client.setHttpClient(this.client.getHttpClient().newBuilder().addInterceptor(this::connect).build());
			this.factory = InformerFactory.create(this.client);
			this.elector = new LeaderElector(new LeaderElectionOptions("default", "controller", "default",
					UUID.randomUUID().toString(), LEASE, LEASE.minusSeconds(1), Duration.ofMillis(500)),
					() -> this.client, Thread::new);
			this.writer = ObjectWriter.of(this.factory, "controller");
			this.reconcilers = Reconcilers.of(this.factory, this.writer);
			this.secrets = this.factory.informer(V1Secret.class);
			this.registration = this.reconcilers.add(this.factory.informer(Workspace.class), this::reconcile,
					(options) -> options.owns(this.factory.informer(V1Namespace.class))
						.owns(this.factory.informer(V1Deployment.class))
						.owns(this.secrets)
						.retry(new RetryPolicy(RetryPolicy.UNLIMITED, Duration.ofMillis(5), 2, Duration.ofSeconds(1),
								Duration.ZERO))
						.minInterval(Duration.ZERO)
						.gate(election ? this.elector.gate() : InvocationGate.OPEN)
						.cleanup(FINALIZER, (workspace, context) -> null));
			this.reconcilers.start();
			if (election) {
				this.elector.start();
			}
		}

		private Response connect(Interceptor.Chain chain) throws IOException {
			if (this.cutOff) {
				throw new ConnectException("cut off");
			}
			return chain.proceed(chain.request());
		}

		/**
		 * Let all requests and open watches fail.
		 */
		void cutOff() {
			this.cutOff = true;
			this.client.getHttpClient().dispatcher().cancelAll();
		}

		boolean isLeader() {
			return this.elector.isLeader();
		}

		private static @Nullable Object onThisThread(Callable<?> write) {
			try {
				return write.call();
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		}

		private static @Nullable Object onOtherThread(Callable<?> write) {
			try {
				return CompletableFuture.supplyAsync(() -> onThisThread(write)).get();
			}
			catch (InterruptedException | ExecutionException ex) {
				throw new IllegalStateException(ex);
			}
		}

		private @Nullable Duration reconcile(Workspace workspace, ReconcileContext context) throws Exception {
			String name = workspace.getMetadata().getName();
			Thread other = RealReconcilersTests.this.calls.put(name, Thread.currentThread());
			if (other != null) {
				RealReconcilersTests.this.overlaps.add(name);
			}
			try {
				write(workspace, context);
			}
			finally {
				RealReconcilersTests.this.calls.remove(name);
			}
			return null;
		}

		private void write(Workspace workspace, ReconcileContext context) throws Exception {
			List<V1Namespace> namespaces = context.owned(V1Namespace.class).list();
			if (namespaces.isEmpty()) {
				this.thread.apply(() -> this.writer
					.create(new V1Namespace().metadata(new V1ObjectMeta().generateName("workspace-")), workspace));
				// the namespace is not in the cache yet
				throw new RetryLaterException("called again at once", Duration.ZERO);
			}
			String namespace = namespaces.get(0).getMetadata().getName();
			List<V1Deployment> owned = context.owned(V1Deployment.class).list();
			if (owned.isEmpty()) {
				this.thread.apply(() -> this.writer.create(deployment(namespace, workspace.replicas()), workspace));
			}
			else if (owned.get(0).getSpec().getReplicas() != workspace.replicas()) {
				this.writer.patch(owned.get(0), (copy) -> copy.getSpec().setReplicas(workspace.replicas()));
			}
			if (context.owned(V1Secret.class).list().isEmpty()) {
				this.thread.apply(() -> this.writer.create(
						new V1Secret().metadata(new V1ObjectMeta().namespace(namespace).generateName("access-")),
						workspace));
			}
			if (workspace.observed() != workspace.replicas()) {
				workspace.observed(workspace.replicas());
				this.writer.updateStatus(workspace);
			}
		}

		private V1Deployment deployment(String namespace, int replicas) {
			Map<String, String> labels = Map.of("app", "web");
			return new V1Deployment().metadata(new V1ObjectMeta().namespace(namespace).generateName("web-"))
				.spec(new V1DeploymentSpec().replicas(replicas)
					.selector(new V1LabelSelector().matchLabels(labels))
					.template(new V1PodTemplateSpec().metadata(new V1ObjectMeta().labels(labels))
						.spec(new V1PodSpec().addContainersItem(new V1Container().name("web").image("web:1")))));
		}

		/**
		 * End as a killed process does: without waiting for calls.
		 */
		@Override
		public void close() {
			this.reconcilers.close();
			this.factory.close();
			awaitExternal().until(() -> this.registration.calls().isEmpty());
			try {
				this.elector.stop(Duration.ZERO);
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}

		private void assertIdle(int objects) throws InterruptedException {
			assertThat(this.registration.awaitIdle(Duration.ofMinutes(5))).isTrue();
			assertThat(this.registration.counts().retrying()).isZero();
			awaitExternal().untilAsserted(() -> assertThat(
					this.secrets.lister().list().stream().filter((secret) -> ownerOf(secret).isPresent()))
				.hasSize(objects));
		}

	}

}
