/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.writer;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import dev.informer.client.type.ValueType;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

/**
 * What was applied last, and the state of the object after that: the proof that applying
 * it again changes nothing. Of each object cryptographic digests are kept; of more
 * objects than the maximum, those applied last. Thread-safe.
 */
final class AppliedObjects {

	private final int max;

	private final Map<String, Applied> digests = new LinkedHashMap<>(16, 0.75f, true) {

		private static final long serialVersionUID = 1L;

		@Override
		protected boolean removeEldestEntry(Map.Entry<String, Applied> eldest) {
			return size() > AppliedObjects.this.max;
		}

	};

	AppliedObjects(int max) {
		this.max = max;
	}

	/**
	 * Note that applying a body has led to a state of the object.
	 * @param epoch the epoch of the caches before the body was sent
	 */
	void applied(String key, long epoch, byte[] body, KubernetesObject result) {
		byte[] digest = sha256().digest(body);
		byte[] state = state(epoch, body, result);
		byte[] version = version(epoch, body, result);
		synchronized (this.digests) {
			Applied known = this.digests.get(key);
			FieldContest contest = (known != null && Arrays.equals(known.body, digest)) ? known.contest : null;
			this.digests.put(key, new Applied(digest, state, version, contest));
		}
	}

	/**
	 * Return whether a body is the one that was applied last.
	 */
	boolean isRepeated(String key, byte[] body) {
		synchronized (this.digests) {
			Applied known = this.digests.get(key);
			return known != null && Arrays.equals(known.body, sha256().digest(body));
		}
	}

	/**
	 * Return whether something was applied to the object.
	 */
	boolean isKnown(String key) {
		synchronized (this.digests) {
			return this.digests.containsKey(key);
		}
	}

	/**
	 * Note the managers of an object after a repeated apply.
	 * @return how often the field manager has applied in vain; {@code null} if the object
	 * was as applied before
	 */
	FieldContest.@Nullable Round contested(String key, FieldManagers managers, long now) {
		synchronized (this.digests) {
			Applied known = this.digests.get(key);
			if (known == null) {
				return null;
			}
			known.contest = (known.contest != null) ? known.contest : new FieldContest();
			return known.contest.applied(managers, now);
		}
	}

	/**
	 * Return whether applying a body is known to have led to this state of the object, in
	 * the same epoch: after etcd was restored, another state has the same generation.
	 */
	boolean isApplied(String key, long epoch, byte[] body, KubernetesObject current) {
		byte @Nullable [] state;
		byte @Nullable [] version;
		synchronized (this.digests) {
			Applied known = this.digests.get(key);
			state = (known != null) ? known.state : null;
			version = (known != null) ? known.version : null;
		}
		// a transform of the informer may have removed what the state has
		return state != null && (Arrays.equals(state, state(epoch, body, current))
				|| Arrays.equals(version, version(epoch, body, current)));
	}

	/**
	 * Forget the state of an object.
	 */
	void forget(String key) {
		synchronized (this.digests) {
			Applied known = this.digests.get(key);
			if (known != null) {
				known.state = null;
				known.version = null;
			}
		}
	}

	/**
	 * Return a digest of a body and of the version of an object.
	 */
	private static byte[] version(long epoch, byte[] body, KubernetesObject object) {
		MessageDigest digest = sha256();
		digest.update(digest.digest(body));
		update(digest, epoch);
		update(digest, object.getMetadata().getUid());
		update(digest, object.getMetadata().getResourceVersion());
		return digest.digest();
	}

	/**
	 * Return a digest of a body and of what the changes of others change: the generation,
	 * which a change of the status leaves as it is, or the version. The generation of an
	 * object without a spec may never change, for example that of a PriorityClass.
	 */
	private static byte[] state(long epoch, byte[] body, KubernetesObject object) {
		V1ObjectMeta metadata = object.getMetadata();
		MessageDigest digest = sha256();
		digest.update(digest.digest(body));
		Long generation = metadata.getGeneration();
		update(digest, epoch);
		update(digest, metadata.getUid());
		boolean counted = generation != null && generation > 0 && ObjectTree.hasSpec(object);
		update(digest, counted ? generation : "@" + metadata.getResourceVersion());
		update(digest, sorted(metadata.getLabels()));
		update(digest, sorted(metadata.getAnnotations()));
		update(digest, metadata.getOwnerReferences());
		update(digest, metadata.getFinalizers());
		update(digest, metadata.getDeletionTimestamp());
		return digest.digest();
	}

	private static void update(MessageDigest digest, @Nullable Object value) {
		boolean empty = value == null || value.equals(List.of()) || value.equals(Map.of());
		byte[] text = ObjectTree.bytes(ValueType.jsonOf(empty ? null : value));
		// the length first, so that no two sequences of values are the same bytes
		digest.update(new byte[] { (byte) (text.length >>> 24), (byte) (text.length >>> 16), (byte) (text.length >>> 8),
				(byte) text.length });
		digest.update(text);
	}

	private static @Nullable Map<String, String> sorted(@Nullable Map<String, String> map) {
		return (map != null) ? new TreeMap<>(map) : null;
	}

	private static MessageDigest sha256() {
		try {
			return MessageDigest.getInstance("SHA-256");
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java runtime has SHA-256", ex);
		}
	}

	/**
	 * What was applied to an object. Guarded by the monitor of the map.
	 */
	private static final class Applied {

		private final byte[] body;

		/** {@code null} while it is not known. */
		private byte @Nullable [] state;

		private byte @Nullable [] version;

		private @Nullable FieldContest contest;

		Applied(byte[] body, byte[] state, byte[] version, @Nullable FieldContest contest) {
			this.body = body;
			this.state = state;
			this.version = version;
			this.contest = contest;
		}

	}

}
