/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

import dev.informer.IndexFunction;
import dev.informer.SharedIndexInformer;
import dev.informer.client.PartialObjectMetadata;
import dev.informer.reconcilers.Owned;
import dev.informer.reconcilers.ReconcileContext;
import dev.informer.reconcilers.Reconcilers;
import dev.informer.reconcilers.Watched;
import dev.informer.spring.InformerCleanup;
import dev.informer.spring.InformerConfigurationException;
import dev.informer.spring.InformerHandler;
import dev.informer.spring.InformerHandler.Retry;
import dev.informer.spring.InformerReconciler;
import dev.informer.spring.InformerReconciler.Watches;
import dev.informer.spring.InformerReconciler.Writes;
import dev.informer.spring.InvalidHandlerMethodException;
import dev.informer.spring.InvalidInformerPropertyException;
import dev.informer.spring.boot.autoconfigure.connection.KubernetesConnectionAutoConfiguration;
import dev.informer.spring.boot.autoconfigure.replicas.InformerReplicasAutoConfiguration;
import dev.informer.writer.ObjectWrite.Operation;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1Secret;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.SimpleThreadScope;
import org.springframework.scheduling.annotation.Async;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for reconciler and cleanup methods that fail startup, with the reason and the
 * remedy.
 */
class InvalidReconcilerTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(InformerAutoConfiguration.class, KubernetesConnectionAutoConfiguration.class,
						InformerReplicasAutoConfiguration.class, PropertyPlaceholderAutoConfiguration.class))
		.withPropertyValues("informer.auto-startup=false", "informer.connection.url=https://localhost",
				"spring.application.name=shop");

	@Test
	void signatures() {
		assertRefused(NoParameter.class, "it has no parameter", "void reconcile(V1Namespace namespace)");
		assertRefused(NoObject.class, "java.lang.String is not an object of a Kubernetes resource",
				"Take the primary object first");
		assertRefused(AnyObject.class, "does not determine a resource", "Take the primary object first");
		assertRefused(OtherParameter.class, "its parameter java.lang.String is none of Owned, Watched and",
				"ReconcileContext context");
		assertRefused(SecondObject.class, "V1Pod is none of Owned, Watched and", "Owned<V1Pod> pods");
		assertRefused(RawOwned.class, "does not determine a resource", "Owned<V1Pod> pods");
		assertRefused(Returning.class, "it returns String, neither void nor Duration", "Return void, or a Duration");
		assertRefused(Static.class, "it is static", "neither static nor private");
		assertRefused(Private.class, "it is private", "neither static nor private");
		assertRefused(Asynchronous.class, "it is @Async", "Remove @Async");
		assertRefused(OfficialInformer.class, "is a type of the official client's informers", "dev.informer");
	}

	@Test
	void ownedAndWatchedParameters() {
		assertRefused(NotOwned.class, "its parameter Owned<V1Pod> is of a class that the reconciler does not own",
				"owns = V1Pod.class");
		assertRefused(OwnsAnother.class, "its parameter Owned<V1Pod> is of a class that the reconciler does not own",
				"owns = V1Pod.class");
		assertRefused(NotWatched.class, "its parameter Watched<V1Secret> is of a class that the reconciler does not",
				"@Watches(type = V1Secret.class, index = \"...\")");
		assertRefused(WatchedByMapper.class, "does not watch by an index", "index = \"...\"");
		assertRefused(CleanupWithAnother.class, "its parameter Owned<V1Pod> is of a class", "owns = V1Pod.class");
	}

	@Test
	void writes() {
		assertRefused(WritesAnother.class, "its attribute 'writes' names " + V1Pod.class.getName(),
				"Add the class to the attribute 'owns'", "informer.writer.writes");
	}

	@Test
	void watches() {
		assertRefused(NeitherIndexNorMapper.class,
				"it watches objects of " + V1Secret.class.getName() + " by neither an index nor a mapper",
				"Function<V1Secret, Collection<String>>");
		assertRefused(IndexAndMapper.class, "by both an index and a mapper", "Set one of them");
		assertRefused(UnknownIndex.class,
				"it watches V1Secret by the index 'secretref', but the indices of informer 'configmaps' are [",
				"Did you mean 'secretRef'?", "IndexFunction<V1ConfigMap>", "with the name 'secretref'");
		assertRefused(NoMapper.class, "its watches.mapper 'none' is not the name of a Function bean",
				"Function<V1Secret>");
		assertRefused(MapperOfPods.class, "its watches.mapper 'ofPods' is a Function of " + V1Pod.class.getName()
				+ ", but its objects are of " + V1Secret.class.getName(), "Function<V1Secret>");
		assertRefused(MapperToText.class, "its watches.mapper 'toText' returns java.lang.String",
				"Return a Collection<String>");
	}

	@Test
	void watchedOfTwoInformers() {
		this.runner
			.withPropertyValues("informer.resources.one.resource=secrets", "informer.resources.two.resource=secrets")
			.withUserConfiguration(Functions.class)
			.withBean("reconciler", TwoInformers.class)
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining(
						"its parameter Watched<V1Secret> is of a class that it watches with 2 informers"));
	}

	@Test
	void annotations() {
		assertRefused(HandlerAndReconciler.class, "it is an @InformerReconciler as well",
				"let two methods call a third one");
		assertRefused(ReconcilerAndCleanup.class, "it is an @InformerCleanup as well",
				"let two methods call a third one");
		assertRefused(InvalidId.class, "its ID 'order sync' cannot be a part of the keys of properties", "audit");
		assertRefused(InvalidHandlerId.class, "its ID 'orders[0]' cannot be a part of the keys", "audit");
	}

	@Test
	void attributes() {
		assertRefused(NoNumber.class, "its concurrency 'many' is not a whole number", "'concurrency'");
		assertRefused(NoThreads.class, "Option 'concurrency' must be at least 1, not 0", "Change its attributes");
		assertRefused(NoUnit.class, "its minInterval '10' is not a duration", "'minInterval'");
		assertRefused(NoBoolean.class, "its leaderOnly 'yes' is not true or false", "'leaderOnly'");
		assertRefused(NoDelay.class, "its retry.delay 'soon' is not a duration", "'retry.delay'");
		assertRefused(Unresolved.class, "its timeout '${none}' cannot be resolved", "${name:default}");
		assertRefused(UnknownInformer.class, "there is no informer 'configmap'", "Did you mean 'configmaps'?");
		assertRefused(OtherInformer.class, "the informer 'configmaps' has objects of type", "V1ConfigMap");
		assertRefused(LeaderAndSharded.class, "it is both leader-only and sharded",
				"informer.reconcilers.both.leader-only=false");
		assertRefused(Sharded.class, "it is sharded, but sharding is disabled", "informer.sharding.enabled=true");
		assertRefused(Leader.class, "it is leader-only, but leader election is disabled",
				"informer.leader.enabled=true");
		assertRefused(SameIds.class, "its ID 'same' is the ID of another method", "@InformerReconciler(id = \"...\")");
	}

	@Test
	void cleanups() {
		assertRefused(CleanupAlone.class, "its bean has no @InformerReconciler whose first parameter is a V1ConfigMap",
				"Put the method into the bean of its reconciler");
		assertRefused(CleanupOfAnother.class, "its bean has no @InformerReconciler whose first parameter is a V1Secret",
				"let both take the same object first");
		assertRefused(CleanupOfUnknownId.class, "its bean has no reconciler with the ID 'on'; the IDs are [one]",
				"Did you mean 'one'?");
		assertRefused(CleanupOfIdOfAnother.class,
				"its first parameter is a V1Secret, but that of its reconciler 'one' is a V1ConfigMap",
				"Let both take the same object first");
		assertRefused(TwoCleanups.class, "the reconciler 'one' has another cleanup", "Keep one of them");
		assertRefused(CleanupOfTwo.class,
				"several reconcilers of its bean have a V1ConfigMap as their first parameter: [one, two]",
				"reconciler = \"one\"");
		assertRefused(InvalidFinalizer.class, "must be a domain and a name, such as example.com/tenant, not 'tenant'",
				"Change its attributes");
		assertRefused(EmptyFinalizer.class, "must be a domain and a name, such as example.com/tenant, not ''",
				"Change its attributes");
		assertRefused(CleanupOfMetadata.class, "its objects have only their metadata",
				"the class of the whole objects");
		assertRefused(CleanupReturning.class, "it returns String, neither void nor Duration", "Return void");
	}

	@Test
	void requestScope() {
		this.runner
			.withInitializer((context) -> context.getBeanFactory().registerScope("request", new SimpleThreadScope()))
			.withBean("scoped", ConfigMaps.class, ConfigMaps::new, (definition) -> definition.setScope("request"))
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidHandlerMethodException.class)
				.hasMessageContaining(
						"its bean 'scoped' has the scope 'request', but the method is called outside of"));
	}

	@Test
	void shardedInformers() {
		ApplicationContextRunner sharded = this.runner.withBean("reconciler", Owning.class)
			.withPropertyValues("informer.sharding.enabled=true");
		sharded
			.withPropertyValues("informer.leader.enabled=true", "informer.resources.configmaps.shard.by=uid",
					"informer.reconcilers.owning.leader-only=true")
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining("it is leader-only, but its informer 'configmaps' caches only the objects of the")
				.satisfies((failure) -> assertThat(action(failure))
					.contains("informer.reconcilers.owning.leader-only=false")));
		for (String primaries : List.of("", "informer.resources.configmaps.shard.by=uid")) {
			sharded.withPropertyValues("informer.resources.secrets.shard.by=uid", primaries)
				.run((context) -> assertThat(context).getFailure()
					.hasMessageContaining("its informer 'secrets' caches only the objects of the slots")
					.satisfies((failure) -> assertThat(action(failure))
						.contains("informer.resources.secrets.shard.by=namespace")));
		}
		sharded
			.withPropertyValues("informer.leader.enabled=true", "informer.resources.secrets.shard.by=namespace",
					"informer.resources.configmaps.shard.by=namespace")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void unknownIdOfProperties() {
		this.runner.withPropertyValues("informer.reconcilers.configmap.concurrency=2")
			.withBean("reconciler", Named.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidInformerPropertyException.class)
				.hasMessageContaining("'informer.reconcilers.configmap' cannot be used: no reconciler has the ID "
						+ "'configmap'; the IDs are [configmaps]")
				.satisfies((failure) -> assertThat(action(failure)).startsWith("Did you mean 'configmaps'? ")
					.contains("@InformerReconciler(id = \"audit\")", "informer.reconcilers.audit")));
	}

	@Test
	void unknownKeyOfProperties() {
		this.runner
			.withPropertyValues("informer.reconcilers.configmaps.min-intervall=1s",
					"informer.defaults.reconciler.concurency=2")
			.withBean("reconciler", Named.class)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOfSatisfying(UnboundConfigurationPropertiesException.class,
						(failure) -> assertThat(failure.getUnboundProperties()).extracting(KnownProperties::explain)
							.satisfiesExactlyInAnyOrder(
									(text) -> assertThat(text).contains("did you mean 'min-interval'?"),
									(text) -> assertThat(text).contains("did you mean 'concurrency'?"))));
	}

	@Test
	void invalidProperties() {
		for (String property : List.of("concurrency=0", "min-interval=-1s", "timeout=-1s", "retry.multiplier=0")) {
			for (String prefix : List.of("informer.reconcilers.configmaps.", "informer.defaults.reconciler.")) {
				this.runner.withPropertyValues(prefix + property)
					.withBean("reconciler", Named.class)
					.run((context) -> assertThat(context).getFailure()
						.rootCause()
						.hasMessageContaining("Option '" + property.substring(0, property.indexOf('=')) + "'"));
			}
		}
	}

	@Test
	void nameOfAReconcilerOfTheApplication() {
		this.runner.withBean("reconciler", Named.class)
			.withUserConfiguration(Programmatic.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidHandlerMethodException.class)
				.hasMessageContaining("there is another one of this name"));
	}

	private void assertRefused(Class<?> type, String reason, String... action) {
		this.runner.withUserConfiguration(Functions.class)
			.withBean("reconciler", type)
			.run((context) -> assertThat(context).as(type.getSimpleName())
				.getFailure()
				.isInstanceOf(InvalidHandlerMethodException.class)
				.hasMessageContaining("of class '" + type.getName() + "' cannot be an @Informer")
				.hasMessageContaining(reason)
				.satisfies((failure) -> assertThat(action(failure)).contains(Arrays.asList(action))));
	}

	private static String action(Throwable failure) {
		return ((InformerConfigurationException) failure).action();
	}

	@Configuration(proxyBeanMethods = false)
	static class Functions {

		@Bean
		static IndexFunction<V1ConfigMap> secretRef() {
			return (configMap) -> List.of("secret");
		}

		@Bean
		Function<V1Pod, List<String>> ofPods() {
			return (pod) -> List.of();
		}

		@Bean
		Function<V1Secret, String> toText() {
			return (secret) -> "text";
		}

		@Bean
		Function<V1Secret, List<String>> mapper() {
			return (secret) -> List.of();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Programmatic {

		Programmatic(Reconcilers reconcilers, SharedIndexInformer<V1ConfigMap> configMaps) {
			reconcilers.add(configMaps, (primary, context) -> null, (options) -> options.name("configmaps"));
		}

	}

	static class ConfigMaps {

		@InformerReconciler
		void reconcile(V1ConfigMap configMap) {
		}

	}

	static class Named {

		@InformerReconciler(id = "configmaps")
		void reconcile(V1ConfigMap configMap) {
		}

	}

	static class Owning {

		@InformerReconciler(id = "owning", owns = V1Secret.class)
		void reconcile(V1ConfigMap configMap) {
		}

	}

	static class NoParameter {

		@InformerReconciler
		void reconcile() {
		}

	}

	static class NoObject {

		@InformerReconciler
		void reconcile(String name) {
		}

	}

	static class AnyObject {

		@InformerReconciler
		void reconcile(KubernetesObject object) {
		}

	}

	static class OtherParameter {

		@InformerReconciler
		void reconcile(V1ConfigMap configMap, String other) {
		}

	}

	static class SecondObject {

		@InformerReconciler
		void reconcile(V1ConfigMap configMap, V1Pod pod) {
		}

	}

	static class RawOwned {

		@InformerReconciler(owns = V1Pod.class)
		@SuppressWarnings("rawtypes")
		void reconcile(V1ConfigMap configMap, Owned pods) {
		}

	}

	static class Returning {

		@InformerReconciler
		String reconcile(V1ConfigMap configMap) {
			return "";
		}

	}

	static class Static {

		@InformerReconciler
		static void reconcile(V1ConfigMap configMap) {
		}

	}

	static class Private {

		@InformerReconciler
		private void reconcile(V1ConfigMap configMap) {
		}

	}

	static class Asynchronous {

		@Async
		@InformerReconciler
		void reconcile(V1ConfigMap configMap) {
		}

	}

	static class OfficialInformer {

		@InformerReconciler
		void reconcile(V1ConfigMap configMap, io.kubernetes.client.informer.cache.Lister<V1Pod> pods) {
		}

	}

	static class WritesAnother {

		@InformerReconciler(owns = V1Secret.class, writes = @Writes(type = V1Pod.class, operations = Operation.DELETE))
		void reconcile(V1Namespace namespace) {
		}

	}

	static class NotOwned {

		@InformerReconciler
		void reconcile(V1ConfigMap configMap, Owned<V1Pod> pods) {
		}

	}

	static class OwnsAnother {

		@InformerReconciler(owns = V1Secret.class)
		void reconcile(V1ConfigMap configMap, ReconcileContext context, Owned<V1Pod> pods) {
		}

	}

	static class NotWatched {

		@InformerReconciler(owns = V1Secret.class)
		void reconcile(V1ConfigMap configMap, Watched<V1Secret> secrets) {
		}

	}

	static class WatchedByMapper {

		@InformerReconciler(watches = @Watches(type = V1Secret.class, mapper = "mapper"))
		void reconcile(V1ConfigMap configMap, Watched<V1Secret> secrets) {
		}

	}

	static class CleanupWithAnother {

		@InformerReconciler(id = "one")
		void reconcile(V1ConfigMap configMap) {
		}

		@InformerCleanup("example.com/one")
		void cleanup(V1ConfigMap configMap, Owned<V1Pod> pods) {
		}

	}

	static class NeitherIndexNorMapper {

		@InformerReconciler(watches = @Watches(type = V1Secret.class))
		void reconcile(V1ConfigMap configMap) {
		}

	}

	static class IndexAndMapper {

		@InformerReconciler(watches = @Watches(type = V1Secret.class, index = "secretRef", mapper = "mapper"))
		void reconcile(V1ConfigMap configMap) {
		}

	}

	static class UnknownIndex {

		@InformerReconciler(watches = @Watches(type = V1Secret.class, index = "secretref"))
		void reconcile(V1ConfigMap configMap) {
		}

	}

	static class NoMapper {

		@InformerReconciler(watches = @Watches(type = V1Secret.class, mapper = "none"))
		void reconcile(V1ConfigMap configMap) {
		}

	}

	static class MapperOfPods {

		@InformerReconciler(watches = @Watches(type = V1Secret.class, mapper = "ofPods"))
		void reconcile(V1ConfigMap configMap) {
		}

	}

	static class MapperToText {

		@InformerReconciler(watches = @Watches(type = V1Secret.class, mapper = "toText"))
		void reconcile(V1ConfigMap configMap) {
		}

	}

	static class TwoInformers {

		@InformerReconciler(watches = { @Watches(type = V1Secret.class, index = "secretRef", informer = "one"),
				@Watches(type = V1Secret.class, index = "secretRef", informer = "two") })
		void reconcile(V1ConfigMap configMap, Watched<V1Secret> secrets) {
		}

	}

	static class NoNumber {

		@InformerReconciler(concurrency = "many")
		void reconcile(V1ConfigMap configMap) {
		}

	}

	static class NoThreads {

		@InformerReconciler(concurrency = "0")
		void reconcile(V1ConfigMap configMap) {
		}

	}

	static class NoUnit {

		@InformerReconciler(minInterval = "10")
		void reconcile(V1ConfigMap configMap) {
		}

	}

	static class NoBoolean {

		@InformerReconciler(leaderOnly = "yes")
		void reconcile(V1ConfigMap configMap) {
		}

	}

	static class NoDelay {

		@InformerReconciler(retry = @Retry(delay = "soon"))
		void reconcile(V1ConfigMap configMap) {
		}

	}

	static class Unresolved {

		@InformerReconciler(timeout = "${none}")
		void reconcile(V1ConfigMap configMap) {
		}

	}

	static class UnknownInformer {

		@InformerReconciler(informer = "configmap", owns = V1ConfigMap.class)
		void reconcile(V1ConfigMap configMap) {
		}

	}

	static class OtherInformer {

		@InformerReconciler(informer = "configmaps", owns = V1ConfigMap.class)
		void reconcile(V1Namespace namespace) {
		}

	}

	static class LeaderAndSharded {

		@InformerReconciler(id = "both", leaderOnly = "true", sharded = true)
		void reconcile(V1ConfigMap configMap) {
		}

	}

	static class Sharded {

		@InformerReconciler(sharded = true)
		void reconcile(V1ConfigMap configMap) {
		}

	}

	static class Leader {

		@InformerReconciler(leader = "billing")
		void reconcile(V1ConfigMap configMap) {
		}

	}

	static class SameIds {

		@InformerReconciler(id = "same")
		void one(V1ConfigMap configMap) {
		}

		@InformerReconciler(id = "same")
		void two(V1ConfigMap configMap) {
		}

	}

	static class CleanupAlone {

		@InformerCleanup("example.com/one")
		void cleanup(V1ConfigMap configMap) {
		}

	}

	static class CleanupOfAnother {

		@InformerReconciler
		void reconcile(V1ConfigMap configMap) {
		}

		@InformerCleanup("example.com/one")
		void cleanup(V1Secret secret) {
		}

	}

	static class CleanupOfUnknownId {

		@InformerReconciler(id = "one")
		void reconcile(V1ConfigMap configMap) {
		}

		@InformerCleanup(value = "example.com/one", reconciler = "on")
		void cleanup(V1ConfigMap configMap) {
		}

	}

	static class CleanupOfIdOfAnother {

		@InformerReconciler(id = "one")
		void reconcile(V1ConfigMap configMap) {
		}

		@InformerCleanup(value = "example.com/one", reconciler = "one")
		void cleanup(V1Secret secret) {
		}

	}

	static class TwoCleanups {

		@InformerReconciler(id = "one")
		void reconcile(V1ConfigMap configMap) {
		}

		@InformerCleanup("example.com/one")
		void cleanup(V1ConfigMap configMap) {
		}

		@InformerCleanup("example.com/two")
		void other(V1ConfigMap configMap) {
		}

	}

	static class CleanupOfTwo {

		@InformerReconciler(id = "one")
		void reconcile(V1ConfigMap configMap) {
		}

		@InformerReconciler(id = "two")
		void reconcileToo(V1ConfigMap configMap) {
		}

		@InformerCleanup("example.com/one")
		void cleanup(V1ConfigMap configMap) {
		}

	}

	static class InvalidFinalizer {

		@InformerReconciler
		void reconcile(V1ConfigMap configMap) {
		}

		@InformerCleanup("tenant")
		void cleanup(V1ConfigMap configMap) {
		}

	}

	static class EmptyFinalizer {

		@InformerReconciler
		void reconcile(V1ConfigMap configMap) {
		}

		@InformerCleanup("")
		Duration cleanup(V1ConfigMap configMap) {
			return Duration.ZERO;
		}

	}

	static class CleanupOfMetadata {

		@InformerReconciler(informer = "configmaps")
		void reconcile(PartialObjectMetadata configMap) {
		}

		@InformerCleanup("example.com/one")
		void cleanup(PartialObjectMetadata configMap) {
		}

	}

	static class CleanupReturning {

		@InformerReconciler
		void reconcile(V1ConfigMap configMap) {
		}

		@InformerCleanup("example.com/one")
		String cleanup(V1ConfigMap configMap) {
			return "";
		}

	}

	static class HandlerAndReconciler {

		@InformerHandler
		@InformerReconciler
		void both(V1ConfigMap map) {
		}

	}

	static class ReconcilerAndCleanup {

		@InformerReconciler
		@InformerCleanup("example.com/cleanup")
		void both(V1ConfigMap map) {
		}

	}

	static class InvalidId {

		@InformerReconciler(id = "order sync")
		void reconcile(V1ConfigMap map) {
		}

	}

	static class InvalidHandlerId {

		@InformerHandler(id = "orders[0]")
		void handle(V1ConfigMap map) {
		}

	}

}
