/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.informer.InvocationGate;
import dev.informer.QueuePolicy;
import dev.informer.SharedIndexInformer;
import dev.informer.client.TimeSource;
import dev.informer.leader.LeaderElector;
import dev.informer.lease.LeaseFailure;
import dev.informer.lease.LeaseParticipant;
import dev.informer.replicas.Leadership;
import dev.informer.replicas.Shard;
import dev.informer.replicas.Sharding;
import dev.informer.shard.ShardMember;
import dev.informer.spring.InvalidHandlerMethodException;
import dev.informer.spring.LeaderElections;
import dev.informer.spring.MissingLeasePermissionException;
import dev.informer.spring.config.InformerProperties.Handler;
import dev.informer.spring.config.InformerProperties.OnTimeout;
import dev.informer.spring.config.InformerProperties.ReplicaChoice;
import dev.informer.spring.config.InformerProperties.Startup;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Coordination of this application with its other replicas: leader elections and the
 * division of objects. {@link InformerLifecycle} starts it once the informers have
 * synced, so that this application is no leader and owns no slots before, and stops it
 * when no handler is running any more. Informers that cache a share of the objects can
 * sync only after {@link #join()}.
 */
public final class Replicas implements LeaderElections {

	private static final Logger logger = LoggerFactory.getLogger(Replicas.class);

	/** No coordination. */
	public static final Replicas NONE = new Replicas(List.of(), null);

	private final List<LeaderElector> electors;

	private final @Nullable ShardMember member;

	/**
	 * Create a coordination with the elections, the default one first, and the member of
	 * the group that divides objects; {@code null} for none.
	 */
	public Replicas(List<LeaderElector> electors, @Nullable ShardMember member) {
		this.electors = List.copyOf(electors);
		this.member = member;
	}

	@Override
	public List<Leadership> elections() {
		return List.copyOf(this.electors);
	}

	/**
	 * Return the leader elections; empty if leader election is disabled.
	 */
	public List<LeaderElector> electors() {
		return this.electors;
	}

	/**
	 * Return the member of the group that divides objects; empty if sharding is disabled.
	 */
	public Optional<ShardMember> member() {
		return Optional.ofNullable(this.member);
	}

	/**
	 * Return the gate of the replicas that invoke a handler, by default every one. Of the
	 * properties, the first that sets a value prevails.
	 * @throws InvalidHandlerMethodException if the selection contradicts itself or the
	 * informer, or the election or the division of objects does not exist
	 */
	InvocationGate gate(InformerHandlerEndpoint endpoint, SharedIndexInformer<?> informer, List<Handler> properties) {
		return gate(endpoint, Names.handlerKey(endpoint.id()), false, informer, properties);
	}

	/**
	 * Return the gate of the replicas that invoke a reconciler, by default the leader of
	 * the default election, if there is one and the informer of the primary objects does
	 * not divide them.
	 * @throws InvalidHandlerMethodException if the selection contradicts itself or the
	 * informer, or the election or the division of objects does not exist
	 */
	InvocationGate gate(ReconcilerEndpoint endpoint, SharedIndexInformer<?> primaries,
			List<? extends ReplicaChoice> properties) {
		return gate(endpoint, Names.reconcilerKey(endpoint.id()), !this.electors.isEmpty(), primaries, properties);
	}

	/**
	 * Return the gate of the replicas that invoke a method: the leader of an election,
	 * the owner of the slot of each object, or every replica.
	 */
	private InvocationGate gate(MethodEndpoint<?> endpoint, String key, boolean leaderByDefault,
			SharedIndexInformer<?> informer, List<? extends ReplicaChoice> properties) {
		if (Shard.of(informer.options()).isPresent()) {
			// the informer divides its objects for all of its handlers and reconcilers
			checkNotLeaderOnly(endpoint, key, informer, properties);
			return InvocationGate.OPEN;
		}
		if (isLeaderOnly(endpoint, key, leaderByDefault, properties)) {
			return leadership(endpoint, key, first(properties, ReplicaChoice::leader).orElse(DEFAULT)).gate();
		}
		return first(properties, ReplicaChoice::sharded).orElse(false) ? sharding(endpoint, key).gate()
				: InvocationGate.OPEN;
	}

	private static boolean isLeaderOnly(MethodEndpoint<?> endpoint, String key, boolean byDefault,
			List<? extends ReplicaChoice> properties) {
		boolean sharded = first(properties, ReplicaChoice::sharded).orElse(false);
		// the name of an election implies it
		boolean leaderOnly = first(properties,
				(each) -> (each.leaderOnly() != null || each.leader() == null) ? each.leaderOnly() : Boolean.TRUE)
			.orElse(byDefault && !sharded);
		if (leaderOnly && sharded) {
			throw endpoint.invalid("it is both leader-only and sharded",
					"Choose one of them: remove leaderOnly and leader, or sharded, or override the attribute by " + key
							+ ".leader-only=false or " + key + ".sharded=false.");
		}
		return leaderOnly;
	}

	private static <P extends ReplicaChoice, T> Optional<T> first(List<P> properties, Function<P, @Nullable T> value) {
		return properties.stream().flatMap((each) -> Stream.ofNullable(value.apply(each))).findFirst();
	}

	private Leadership leadership(MethodEndpoint<?> endpoint, String key, String name) {
		List<String> names = this.electors.stream().map(LeaderElector::election).toList();
		return find(name).orElseThrow(() -> names.isEmpty()
				? endpoint.invalid("it is leader-only, but leader election is disabled",
						"Set informer.leader.enabled=true, or let every replica invoke it: remove leaderOnly and "
								+ "leader, and the properties " + key + ".leader-only and .leader.")
				: endpoint.invalid(
						"it is invoked by the leader of the election '" + name + "', but the elections are " + names,
						"Declare the election by informer.leader.elections." + name
								+ ".lease-name, or name another one."));
	}

	private Sharding sharding(MethodEndpoint<?> endpoint, String key) {
		if (this.member == null) {
			throw endpoint.invalid("it is sharded, but sharding is disabled",
					"Set informer.sharding.enabled=true, or let every replica invoke it for every object: remove "
							+ "sharded, and the property " + key + ".sharded.");
		}
		return this.member;
	}

	private static void checkNotLeaderOnly(MethodEndpoint<?> endpoint, String key, SharedIndexInformer<?> informer,
			List<? extends ReplicaChoice> properties) {
		if (isLeaderOnly(endpoint, key, false, properties)) {
			throw endpoint.invalid("it is leader-only, " + cached(informer),
					"Let each replica invoke it for its objects: remove leaderOnly and leader, or override the "
							+ "attribute by " + key + ".leader-only=false" + orCacheAll(informer));
		}
	}

	/**
	 * Check that the queue of a handler drops the events of slots that move away.
	 * @throws InvalidHandlerMethodException if it does not, and the informer caches only
	 * the objects of the slots of this replica
	 */
	static void checkQueue(QueuePolicy queue, InformerHandlerEndpoint endpoint, SharedIndexInformer<?> informer) {
		if (queue == QueuePolicy.KEEP_ALL && Shard.of(informer.options()).isPresent()) {
			throw endpoint.invalid(
					"its queue is keep-all, " + cached(informer)
							+ " and would keep every event of the slots that move away",
					"Use the queue coalesce: change the attribute, or override it by " + Names.handlerKey(endpoint.id())
							+ ".queue=coalesce" + orCacheAll(informer));
		}
	}

	private static String cached(SharedIndexInformer<?> informer) {
		return "but its informer '" + informer.name() + "' caches only the objects of the slots of this replica";
	}

	private static String orCacheAll(SharedIndexInformer<?> informer) {
		return ", or let every replica cache all objects: remove informer.resources." + informer.name() + ".shard.by.";
	}

	/**
	 * Join the group that divides objects. Returns immediately. Informers that cache a
	 * share of the objects wait for its slots.
	 */
	void join() {
		member().ifPresent(ShardMember::start);
	}

	/**
	 * Wait until this application has joined the group, or cannot join it now. A missing
	 * permission is an exception with {@link OnTimeout#FAIL}, otherwise a warning.
	 * @param rights returns the manifest with all rights of the application
	 */
	void awaitJoined(Startup startup, Supplier<String> rights) throws InterruptedException {
		if (this.member != null) {
			this.member.awaitAnswer(startup.timeout());
			report(missingPermission(this.member, rights), startup.onTimeout());
		}
	}

	/**
	 * Start the coordination, and wait up to the timeout for each first answer of the API
	 * server, not for a leader or for slots.
	 * @param rights returns the manifest with all rights of the application
	 */
	void start(Startup startup, Supplier<String> rights) {
		this.electors.forEach(LeaderElector::start);
		join();
		try {
			for (LeaderElector elector : this.electors) {
				elector.awaitAnswer(startup.timeout());
				report(missingPermission(elector, rights), startup.onTimeout());
			}
			awaitJoined(startup, rights);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while waiting for the Leases of this application", ex);
		}
	}

	private static void report(Optional<MissingLeasePermissionException> missing, OnTimeout onTimeout) {
		missing.ifPresent((exception) -> {
			if (onTimeout == OnTimeout.FAIL) {
				throw exception;
			}
			logger.warn("{}; continuing startup", exception.getMessage());
		});
	}

	private static Optional<MissingLeasePermissionException> missingPermission(LeaderElector elector,
			Supplier<String> rights) {
		return missingPermission(elector.failure(), "create and update", elector.options().leaseNamespace(), rights);
	}

	private static Optional<MissingLeasePermissionException> missingPermission(ShardMember member,
			Supplier<String> rights) {
		return missingPermission(member.failure(), "create, update and delete", member.options().namespace(), rights);
	}

	private static Optional<MissingLeasePermissionException> missingPermission(Optional<LeaseFailure> failure,
			String verbs, String namespace, Supplier<String> rights) {
		return failure.filter(LeaseFailure::forbidden)
			.map((forbidden) -> new MissingLeasePermissionException(forbidden.message(),
					"Grant the verbs get, list, watch, " + verbs + " on leases.coordination.k8s.io in the namespace "
							+ namespace + ". " + RequiredRights.INTRODUCTION + rights.get()));
	}

	/**
	 * Stop the coordination, and release leadership and slots where no work is running
	 * any more. Running work has the timeout to end.
	 */
	void stop(Duration timeout) {
		long deadline = System.nanoTime() + TimeSource.nanos(timeout);
		this.electors.forEach((elector) -> stop(elector, deadline));
		member().ifPresent((current) -> stop(current, deadline));
	}

	private static void stop(LeaseParticipant participant, long deadline) {
		try {
			participant.stop(InformerLifecycle.until(deadline));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (RuntimeException | Error ex) {
			logger.warn("Cannot stop the coordination of replicas properly; stopping the others", ex);
		}
	}

}
