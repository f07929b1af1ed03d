import type { Role } from '@gradeway/shared/auth/roles';
import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import type { DeviceType } from '../domain/device.ts';

const id = { type: DataTypes.INTEGER, primaryKey: true, autoIncrement: true };

export class UserModel extends Model<InferAttributes<UserModel>, InferCreationAttributes<UserModel>> {
  declare id: CreationOptional<number>;
  declare firstName: string;
  declare lastName: string;
  declare email: string | null;
  declare mobile: string | null;
  declare passwordHash: string;
  declare mustChangePassword: CreationOptional<boolean>;
  declare role: Role;
  declare isApproved: boolean;
  declare isBlocked: boolean;
  declare isVerified: boolean;
  declare isVerifiedMobile: boolean;
  declare isSelfRegistered: CreationOptional<boolean>;
  declare cartItems: CreationOptional<number>;
  declare revision: CreationOptional<number>;
  declare createdAt: CreationOptional<Date>;
  declare deletedAt: CreationOptional<Date | null>;
}

export class DeviceModel extends Model<InferAttributes<DeviceModel>, InferCreationAttributes<DeviceModel>> {
  declare id: CreationOptional<number>;
  declare userId: number;
  declare token: string;
  declare type: DeviceType;
  declare name: string | null;
  declare userAgent: string | null;
  declare isDisabled: CreationOptional<boolean>;
  declare lastLoginAt: Date;
}

export class SessionModel extends Model<
  InferAttributes<SessionModel>,
  InferCreationAttributes<SessionModel>
> {
  declare id: CreationOptional<number>;
  declare userId: number;
  declare deviceId: number | null;
  declare tokenId: string;
  declare tokenExpiresAt: Date;
  declare replacedTokenId: CreationOptional<string | null>;
  declare replacedTokenUntil: CreationOptional<Date | null>;
  declare changePassword: boolean;
  declare reauthenticatedAt: CreationOptional<Date | null>;
  declare endedAt: CreationOptional<Date | null>;
}

export interface Models {
  User: typeof UserModel;
  Device: typeof DeviceModel;
  Session: typeof SessionModel;
}

/** Binds the models to a connection. The tables are created by migrations/. */
export function defineModels(sequelize: Sequelize): Models {
  class User extends UserModel {}
  User.init(
    {
      id,
      firstName: DataTypes.TEXT,
      lastName: DataTypes.TEXT,
      email: DataTypes.TEXT,
      mobile: DataTypes.TEXT,
      passwordHash: DataTypes.TEXT,
      mustChangePassword: DataTypes.BOOLEAN,
      role: DataTypes.TEXT,
      isApproved: DataTypes.BOOLEAN,
      isBlocked: DataTypes.BOOLEAN,
      isVerified: DataTypes.BOOLEAN,
      isVerifiedMobile: DataTypes.BOOLEAN,
      isSelfRegistered: DataTypes.BOOLEAN,
      cartItems: DataTypes.INTEGER,
      revision: DataTypes.INTEGER,
      createdAt: DataTypes.DATE,
      deletedAt: DataTypes.DATE,
    },
    { sequelize, tableName: 'users' },
  );

  class Device extends DeviceModel {}
  Device.init(
    {
      id,
      userId: DataTypes.INTEGER,
      token: DataTypes.TEXT,
      type: DataTypes.TEXT,
      name: DataTypes.TEXT,
      userAgent: DataTypes.TEXT,
      isDisabled: DataTypes.BOOLEAN,
      lastLoginAt: DataTypes.DATE,
    },
    { sequelize, tableName: 'devices' },
  );

  class Session extends SessionModel {}
  Session.init(
    {
      id,
      userId: DataTypes.INTEGER,
      deviceId: DataTypes.INTEGER,
      tokenId: DataTypes.UUID,
      tokenExpiresAt: DataTypes.DATE,
      replacedTokenId: DataTypes.UUID,
      replacedTokenUntil: DataTypes.DATE,
      changePassword: DataTypes.BOOLEAN,
      reauthenticatedAt: DataTypes.DATE,
      endedAt: DataTypes.DATE,
    },
    { sequelize, tableName: 'sessions' },
  );
  return { User, Device, Session };
}
