/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.informer.InformerFactory;
import dev.informer.InformerState;
import dev.informer.InformerState.Phase;
import dev.informer.ObjectCopy;
import dev.informer.SharedIndexInformer;
import dev.informer.client.ObjectKey;
import dev.informer.client.ObjectState;
import dev.informer.client.ResourceDiscovery;
import dev.informer.client.ResourceType;
import dev.informer.client.ServerStatus;
import dev.informer.client.ServerStatusException;
import dev.informer.client.json.JsonWireFormat;
import dev.informer.client.model.ObjectTable;
import dev.informer.reconcilers.ObjectWrite.Operation;
import dev.informer.reconcilers.ObjectWrite.Outcome;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Default {@link ObjectWriter}.
 */
final class DefaultObjectWriter implements ObjectWriter {

	private static final Duration TIMEOUT = Duration.ofSeconds(30);

	private static final Pattern FIELD_MANAGER = Pattern.compile("[\\p{Print}&&[^\\s]][\\p{Print}]{0,127}");

	private static final Pattern VERSION = Pattern.compile("[1-9][0-9]{0,18}");

	private static final int NOT_FOUND = 404;

	private static final int CONFLICT = 409;

	private static final String JSON = "application/json";

	private static final String APPLY_PATCH = "application/apply-patch+yaml";

	private static final String MERGE_PATCH = "application/merge-patch+json";

	private final Shared shared;

	private final String fieldManager;

	private final boolean force;

	DefaultObjectWriter(InformerFactory factory, String fieldManager, WriteInterceptor interceptor) {
		this(new Shared(factory, interceptor), fieldManager, true);
	}

	private DefaultObjectWriter(Shared shared, String fieldManager, boolean force) {
		if (!FIELD_MANAGER.matcher(fieldManager).matches()) {
			throw new IllegalArgumentException(
					"The name of a field manager must have 1 to 128 printable characters. Use the name of the application.");
		}
		this.shared = shared;
		this.fieldManager = fieldManager;
		this.force = force;
	}

	@Override
	public ObjectWriter withFieldManager(String fieldManager) {
		return new DefaultObjectWriter(this.shared, fieldManager, this.force);
	}

	@Override
	public ObjectWriter withConflicts() {
		return new DefaultObjectWriter(this.shared, this.fieldManager, false);
	}

	@Override
	public <T extends KubernetesObject> T create(T desired, @Nullable KubernetesObject owner)
			throws ObjectWriteException {
		WriteTarget<T> target = target(Operation.CREATE, desired, owner);
		JsonObject tree = desiredTree(target, desired, owner);
		metadata(tree).remove("resourceVersion");
		return new Write<>(Operation.CREATE, target, () -> null, () -> exchange("POST", Operation.CREATE, target,
				Map.of("fieldManager", this.fieldManager), JSON, ObjectTree.bytes(tree), false))
			.result();
	}

	@Override
	public <T extends KubernetesObject> T apply(T desired, @Nullable KubernetesObject owner)
			throws ObjectWriteException {
		WriteTarget<T> target = target(Operation.APPLY, desired, owner);
		byte[] body = ObjectTree.bytes(desiredTree(target, desired, owner));
		String key = this.fieldManager + " " + target.path(Operation.APPLY);
		return new Write<>(Operation.APPLY, target, () -> {
			T cached = this.shared.cached(target);
			return (cached != null && this.shared.applied.isApplied(key, body, cached)) ? cached : null;
		}, () -> {
			this.shared.applied.forget(key);
			T written = exchange("PATCH", Operation.APPLY, target,
					Map.of("fieldManager", this.fieldManager, "force", Boolean.toString(this.force)), APPLY_PATCH, body,
					true);
			this.shared.applied.applied(key, body, written);
			return written;
		}).result();
	}

	@Override
	public <T extends KubernetesObject> T update(T object) throws ObjectWriteException {
		return replace(Operation.UPDATE, object);
	}

	@Override
	public <T extends KubernetesObject> T updateStatus(T object) throws ObjectWriteException {
		return replace(Operation.UPDATE_STATUS, object);
	}

	private <T extends KubernetesObject> T replace(Operation operation, T object) throws ObjectWriteException {
		WriteTarget<T> target = target(operation, object, null);
		ObjectState state = ObjectState.of(object);
		if (state.resourceVersion() == null || !VERSION.matcher(state.resourceVersion()).matches()) {
			throw new IllegalArgumentException("Cannot " + target.describe(operation)
					+ ": it has no valid metadata.resourceVersion. Change a copy of the object as it was read.");
		}
		JsonObject tree = tree(target, object);
		return new Write<>(operation, target, () -> {
			T cached = this.shared.cached(target);
			boolean same = cached != null && ObjectState.of(cached).isSameAs(state)
					&& tree.equals(tree(target, cached));
			return same ? cached : null;
		}, () -> exchange("PUT", operation, target, Map.of("fieldManager", this.fieldManager), JSON,
				ObjectTree.bytes(tree), false))
			.result();
	}

	@Override
	public <T extends KubernetesObject> T patch(T object, Consumer<T> change) throws ObjectWriteException {
		WriteTarget<T> target = target(Operation.PATCH, object, null);
		T copy = ObjectCopy.of(object);
		change.accept(copy);
		JsonObject before = tree(target, object);
		JsonObject patch = MergePatch.between(before, tree(target, copy));
		if (patch.has("status") && ObjectTable.isOfficial(object.getClass())) {
			throw new IllegalArgumentException("Cannot " + target.describe(Operation.PATCH)
					+ ": its status was changed, which the API server would ignore. Use updateStatus.");
		}
		boolean empty = patch.isEmpty();
		ObjectState state = ObjectState.of(object);
		boolean versioned = MergePatch.replacesList(patch, before);
		// of another object, or another version, the server answers 409
		expect(patch, "uid", state.uid());
		expect(patch, "resourceVersion", versioned ? state.resourceVersion() : null);
		return new Write<>(Operation.PATCH, target, () -> empty ? object : null,
				() -> exchange("PATCH", Operation.PATCH, target, Map.of("fieldManager", this.fieldManager), MERGE_PATCH,
						ObjectTree.bytes(patch), true))
			.result();
	}

	private static void expect(JsonObject patch, String property, @Nullable String value) {
		if (value != null) {
			metadata(patch).addProperty(property, value);
		}
	}

	@Override
	public boolean delete(KubernetesObject object) throws ObjectWriteException {
		return delete(object, false);
	}

	@Override
	public boolean deleteUnchanged(KubernetesObject object) throws ObjectWriteException {
		return delete(object, true);
	}

	private boolean delete(KubernetesObject object, boolean unchanged) throws ObjectWriteException {
		WriteTarget<KubernetesObject> target = target(Operation.DELETE, object, null);
		ObjectState state = ObjectState.of(object);
		if (state.uid() == null || (unchanged && state.resourceVersion() == null)) {
			throw new IllegalArgumentException("Cannot " + target.describe(Operation.DELETE)
					+ ": it has no UID or no version. Pass the object as it was read from the API server.");
		}
		JsonObject preconditions = new JsonObject();
		preconditions.addProperty("uid", state.uid());
		if (unchanged) {
			preconditions.addProperty("resourceVersion", state.resourceVersion());
		}
		JsonObject options = new JsonObject();
		options.addProperty("apiVersion", "v1");
		options.addProperty("kind", "DeleteOptions");
		// the default of some resources is to orphan what they own
		options.addProperty("propagationPolicy", "Background");
		options.add("preconditions", preconditions);
		Write<KubernetesObject> write = new Write<>(Operation.DELETE, target, () -> null, () -> {
			try {
				this.shared.factory.connection()
					.send("DELETE", target.path(Operation.DELETE), Map.of(), JSON, ObjectTree.bytes(options), true,
							TIMEOUT);
				return object;
			}
			catch (ServerStatusException ex) {
				if (isGone(ex.status(), unchanged)) {
					return null;
				}
				throw ex;
			}
		});
		write.intercept();
		return write.outcome == Outcome.SUCCESS;
	}

	/**
	 * Return whether an answer says that the object is gone, or that another one has its
	 * name now. A path that is not served has no reason.
	 */
	private static boolean isGone(ServerStatus status, boolean unchanged) {
		return !status.reason().isEmpty() && (status.code() == NOT_FOUND || (status.code() == CONFLICT && !unchanged));
	}

	@SuppressWarnings("unchecked")
	private <T extends KubernetesObject> WriteTarget<T> target(Operation operation, T object,
			@Nullable KubernetesObject owner) {
		return WriteTarget.of(operation, (ResourceType<T>) this.shared.typeOf(object), object, owner);
	}

	/**
	 * Return the tree of an object with the type of its resource.
	 */
	private static JsonObject tree(WriteTarget<?> target, KubernetesObject object) {
		JsonObject tree = ObjectTree.of(object);
		tree.addProperty("apiVersion", target.type().apiVersion());
		tree.addProperty("kind", target.type().kind());
		// an apply with them is refused, an update with an empty list resets them
		metadata(tree).remove("managedFields");
		return tree;
	}

	private JsonObject desiredTree(WriteTarget<?> target, KubernetesObject desired, @Nullable KubernetesObject owner) {
		JsonObject tree = tree(target, desired);
		JsonObject metadata = metadata(tree);
		if (target.namespace() != null) {
			metadata.addProperty("namespace", target.namespace());
		}
		if (owner != null) {
			JsonObject reference = target.ownerReference(owner, this.shared.typeOf(owner));
			JsonArray references = new JsonArray();
			if (metadata.get("ownerReferences") instanceof JsonArray others) {
				others.forEach((other) -> {
					if (!(other instanceof JsonObject known && reference.get("uid").equals(known.get("uid")))) {
						references.add(other);
					}
				});
			}
			references.add(reference);
			metadata.add("ownerReferences", references);
		}
		return tree;
	}

	private static JsonObject metadata(JsonObject tree) {
		JsonElement metadata = tree.get("metadata");
		if (!(metadata instanceof JsonObject)) {
			metadata = new JsonObject();
			tree.add("metadata", metadata);
		}
		return metadata.getAsJsonObject();
	}

	private <T extends KubernetesObject> T exchange(String method, Operation operation, WriteTarget<T> target,
			Map<String, String> query, String contentType, byte[] body, boolean repeatable)
			throws IOException, ObjectWriteException {
		byte[] answer = this.shared.factory.connection()
			.send(method, target.path(operation), new LinkedHashMap<>(query), contentType, body, repeatable, TIMEOUT);
		try {
			return this.shared.format(target.type()).readObject(new ByteArrayInputStream(answer));
		}
		catch (IOException ex) {
			throw ObjectWriteException.ofAnswer(target, operation, ex);
		}
	}

	/**
	 * What the writers of a factory share.
	 */
	private static final class Shared {

		/** Maximum number of applied objects, of 250 bytes each, that are remembered. */
		private static final int MAX_APPLIED = 100_000;

		/** Maximum number of resources of untyped objects that are remembered. */
		private static final int MAX_TYPES = 1_000;

		private final InformerFactory factory;

		private final WriteInterceptor interceptor;

		private final AppliedObjects applied = new AppliedObjects(MAX_APPLIED);

		/** By API version and kind. */
		private final Map<String, ResourceType<DynamicKubernetesObject>> discovered = new ConcurrentHashMap<>();

		private final Map<ResourceType<?>, JsonWireFormat<?>> formats = new ConcurrentHashMap<>();

		Shared(InformerFactory factory, WriteInterceptor interceptor) {
			this.factory = factory;
			this.interceptor = interceptor;
		}

		ResourceType<?> typeOf(KubernetesObject object) {
			WriteTarget.requireWritable(object);
			if (!(object instanceof DynamicKubernetesObject dynamic)) {
				return ResourceType.of(object.getClass());
			}
			String apiVersion = text(dynamic, "apiVersion");
			String kind = text(dynamic, "kind");
			if (apiVersion.isEmpty() || kind.isEmpty()) {
				throw new IllegalArgumentException(
						"Cannot write an untyped object without apiVersion and kind. Set both, such as v1 and ConfigMap.");
			}
			String key = apiVersion + " " + kind;
			ResourceType<DynamicKubernetesObject> known = this.discovered.get(key);
			if (known == null) {
				known = new ResourceDiscovery(this.factory.connection()).find(apiVersion, kind);
				if (this.discovered.size() < MAX_TYPES) {
					this.discovered.put(key, known);
				}
			}
			return known;
		}

		private static String text(DynamicKubernetesObject object, String property) {
			return (object.getRaw().get(property) instanceof JsonPrimitive text) ? text.getAsString() : "";
		}

		@SuppressWarnings("unchecked")
		<T extends KubernetesObject> JsonWireFormat<T> format(ResourceType<T> type) {
			return (JsonWireFormat<T>) this.formats.computeIfAbsent(type,
					(any) -> JsonWireFormat.of(type.type(), type.apiVersion(), type.kind()));
		}

		/**
		 * Return the object in the cache of an informer that follows the server;
		 * {@code null} if there is none. Another cache may be old for any time.
		 */
		<T extends KubernetesObject> @Nullable T cached(WriteTarget<T> target) {
			String key = ObjectKey.of(target.namespace(), Objects.requireNonNull(target.name()));
			for (SharedIndexInformer<?> informer : this.factory.informers()) {
				ResourceType<?> type = informer.resourceType();
				boolean same = type.type() == target.type().type() && type.plural().equals(target.type().plural())
						&& type.group().equals(target.type().group());
				KubernetesObject cached = (same && isCurrent(informer)) ? informer.lister().get(key).orElse(null)
						: null;
				if (cached != null) {
					return target.type().type().cast(cached);
				}
			}
			return null;
		}

		private static boolean isCurrent(SharedIndexInformer<?> informer) {
			InformerState state = informer.state();
			return informer.hasSynced() && state.phase().compareTo(Phase.CONNECTING) <= 0
					&& state.failingSince() == null;
		}

	}

	/**
	 * Write of one object.
	 */
	private final class Write<T extends KubernetesObject> implements ObjectWrite {

		private final Operation operation;

		private final WriteTarget<T> target;

		private final UnchangedObject<T> unchanged;

		private final Exchange<T> exchange;

		private @Nullable T result;

		private @Nullable Outcome outcome;

		private boolean begun;

		Write(Operation operation, WriteTarget<T> target, UnchangedObject<T> unchanged, Exchange<T> exchange) {
			this.operation = operation;
			this.target = target;
			this.unchanged = unchanged;
			this.exchange = exchange;
		}

		T result() throws ObjectWriteException {
			intercept();
			return Objects.requireNonNull(this.result);
		}

		void intercept() throws ObjectWriteException {
			DefaultObjectWriter.this.shared.interceptor.intercept(this);
			if (this.outcome == null) {
				throw new IllegalStateException(
						"The WriteInterceptor did not proceed, or has suppressed the failure of the request.");
			}
		}

		@Override
		public Operation operation() {
			return this.operation;
		}

		@Override
		public ResourceType<?> resourceType() {
			return this.target.type();
		}

		@Override
		public @Nullable String namespace() {
			return this.target.namespace();
		}

		@Override
		public @Nullable String name() {
			return this.target.name();
		}

		@Override
		public Outcome proceed() throws ObjectWriteException {
			if (this.begun) {
				throw new IllegalStateException("A write proceeds once");
			}
			this.begun = true;
			T same = this.unchanged.find();
			this.outcome = (same != null) ? Outcome.UNCHANGED : send();
			this.result = (same != null) ? same : this.result;
			return this.outcome;
		}

		private Outcome send() throws ObjectWriteException {
			try {
				this.result = this.exchange.send();
				return (this.result != null) ? Outcome.SUCCESS : Outcome.UNCHANGED;
			}
			catch (IOException ex) {
				throw ObjectWriteException.of(this.target, this.operation, ex);
			}
		}

	}

	/**
	 * Lookup of the object that a write would not change.
	 */
	@FunctionalInterface
	private interface UnchangedObject<T extends KubernetesObject> {

		@Nullable T find();

	}

	/**
	 * Request and its answer; {@code null} if there was nothing to do.
	 */
	@FunctionalInterface
	private interface Exchange<T extends KubernetesObject> {

		@Nullable T send() throws IOException, ObjectWriteException;

	}

}
